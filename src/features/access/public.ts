/** The door of access: the pages at which people come in, what a person takes with them, what the operator does by hand. */

export { exportAccess } from './access.ts';
export { sendMailCode } from './mail-codes.ts';
export { disableMfaByHand, resetFactor } from './proofs/mfa.ts';
export { showAuthPage } from './sign-in/pages.ts';
export { forgetSetUpLink } from './store/set-up.ts';
