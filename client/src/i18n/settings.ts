/** The English texts of Settings, loaded along with them. */

import { flatten, resolveTemplate, translator } from '@solid-primitives/i18n'
import { english } from './en.ts'
import { manageTexts } from './manage.ts'

const texts = {
  settings: {
    title: 'Settings',
    sections: 'Sections of Settings',
    profile: 'Profile',
    appearance: 'Appearance',
    profileLead: 'Your password, the devices you are signed in on, and tokens for scripts.',
    appearanceLead: 'How Vitrine looks for you.',
    password: 'Password',
    passwordLead: 'Changing it signs you out everywhere else.',
    currentPassword: 'Current password',
    newPassword: 'New password',
    changePassword: 'Change password',
    passwordChanged: 'The password has been changed.',
    sessions: 'Sessions',
    sessionsLead: 'Devices that are signed in to your account.',
    thisDevice: 'This device',
    lastSeen: (ago: string) => `Last seen ${ago}`,
    endSession: 'Sign out',
    endSessionOf: (device: string) => `Sign out ${device}`,
    unknownDevice: 'Unknown device',
    tokens: 'Access tokens',
    tokensLead: 'For scripts and other programs. A token can do everything that you can.',
    noTokens: 'You have no tokens.',
    tokenName: 'Token name',
    createToken: 'Create token',
    tokenOnce: 'Copy this token now. It is not shown again.',
    deleteToken: (name: string) => `Delete token ${name}`,
    tokenCreated: (date: string) => `Created ${date}`,
    theme: 'Theme',
    themes: { dark: 'Dark', light: 'Light', system: 'Like the system' },
    themeLead: 'Kept for your account, on every device.',
    gridSize: 'Card size',
    gridSizeLead: 'What libraries start with.',
  },
}

const dictionary = flatten({ ...english, ...manageTexts, ...texts })

/** The text of a key of these screens, or of those that all have. */
export const t = translator(() => dictionary, resolveTemplate)
