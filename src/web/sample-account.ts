import { newId } from '#kernel/new-id.ts';

/** A connected account as the server tells of it, for tests. */
export const sampleAccount = (change: object = {}) => ({
  accountId: newId(),
  provider: 'caldav',
  profile: 'generic',
  email: 'ada@example.org',
  status: 'active',
  needsReconnect: false,
  disconnecting: false,
  message: null,
  lastSyncedAt: null,
  canReconnectWithPassword: true,
  following: 'polling',
  reconnectUrl: null,
  simulatedPage: null,
  ...change,
});
