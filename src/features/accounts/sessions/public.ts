/** Sessions, API keys, and impersonation. */
export { listApiKeys } from '../store/api-keys.ts';
export { countSessions } from '../store/people.ts';
export { createApiKey, endApiKeys, endLastingAccess, revokeApiKey } from './api-keys.ts';
export { endImpersonation, impersonateUser } from './impersonation.ts';
export { endSessions, findSignedIn, openSession, renewSession } from './sessions.ts';
