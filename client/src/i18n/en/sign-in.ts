/** The screens before signing in. */

export const signInTexts = {
  signIn: {
    title: 'Sign in',
    lead: 'Welcome back.',
    submit: 'Sign in',
    rejected: 'The name or the password is wrong.',
  },
  setup: {
    title: 'Set up Vitrine',
    accountStep: 'Account',
    libraryStep: 'Library',
    scanStep: 'Scan',
    step: (step: number, count: number) => `Step ${step} of ${count}`,
    accountHeading: 'Create the administrator',
    accountLead: 'This account manages libraries and users. You can add the rest of the household later.',
    createAccount: 'Create account',
    libraryHeading: 'Add your first library',
    later: 'Do this later',
    continue: 'Continue',
    scanHeading: 'Review and scan',
    scanLead: 'Vitrine reads the folder and builds its index. You can leave this page, the scan goes on.',
    createAndScan: 'Create and scan',
    open: 'Open the library',
  },
}
