/** Settings and flags of the install. */
export { listFlags } from '../store/flags.ts';
export { requiresAdminMfa } from '../store/settings.ts';
export { changeFlag } from './flags.ts';
export { requireSignUpAllowed } from './settings.ts';
