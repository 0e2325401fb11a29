/** The door of access: the pages at which people come in, what a person takes with them, what the operator does by hand. */

export { disableMfaByHand } from './disable-mfa-by-hand.ts';
export { exportAccess } from './export-access.ts';
export { resetFactor } from './reset-factor.ts';
export { sendMailCode } from './send-mail-code.ts';
export { showEntrance } from './show-entrance.ts';
export { forgetSetUpLink } from './store/set-up.ts';
