/** The door of access: what a person takes with them, and what the operator does by hand. */

export { disableMfaByHand } from './disable-mfa-by-hand.ts';
export { exportAccess } from './export-access.ts';
export { resetFactor } from './reset-factor.ts';
export { sendMailCode } from './send-mail-code.ts';
