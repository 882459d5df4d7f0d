/** The client as an installed app. */

export const installTexts = {
  install: {
    action: 'Install as an app',
    updated: 'A new version is ready.',
    reload: 'Reload',
  },
}
