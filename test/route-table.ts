import { randomUUID } from 'node:crypto';
import type { HTTPMethods } from 'fastify';
import { sql } from 'kysely';
import { openSession } from '#features/accounts/public.ts';
import { replaceExport, settleExport } from '#features/takeout/store/exports.ts';
import type { Tx } from '#platform/db.ts';
import { insertOwnAccount } from './harness/own-account.ts';
import type { TestApp } from './harness/test-app.ts';
import type { TestUser } from './harness/test-client.ts';

/** What each kind of caller gets. `other` asks for what belongs to `user`; where nothing belongs to anybody, leave it out. */
export interface Expected {
  anonymous: number;
  user: number;
  /** Default: as `user`. */
  other?: number;
  /** Default: as `user`. */
  admin?: number;
  /** An administrator whose session lacks the second factor that the operator demands. Default: as `user`. */
  adminWithoutMfa?: number;
}

export interface Row {
  /** `METHOD /path/{parameter}`, as the contract has it. */
  route: `${Uppercase<HTTPMethods & string>} ${string}`;
  expect: Expected;
  /** What `user` owns and the request is about, made anew for every caller; values of the path's parameters and more. */
  own?: (server: TestApp, user: TestUser) => Promise<Record<string, string>>;
  /** The caller's token is worth nothing afterwards. */
  endsSession?: true;
  query?: Record<string, string> | ((own: Record<string, string>) => Record<string, string>);
  body?: object | ((own: Record<string, string>) => object);
}

const signedIn: Expected = { anonymous: 401, user: 200 };
const everybody: Expected = { anonymous: 200, user: 200 };
/** Who is signed in as somebody else, an administrator too, is told that there is nothing. */
const ownerOnly = (status: number): Expected => ({
  anonymous: 401,
  user: status,
  other: 404,
  admin: 404,
  adminWithoutMfa: 404,
});
/** The administrators', in a session with a second factor. */
const adminOnly: Expected = { anonymous: 401, user: 403, adminWithoutMfa: 403, admin: 200 };
/** Asks for a challenge, which nobody has here. */
const challengeOnly: Expected = { anonymous: 401, user: 401 };
const noChallenge = { session: 'x', code: '000000' };
const ownAccount = async (server: TestApp, user: TestUser) => ({ ...(await insertOwnAccount(server, user)) });
const ownMirroredEvent = async (server: TestApp, user: TestUser) => {
  const owned = await insertOwnAccount(server, user);
  return { ...owned, id: owned.itemId, eventId: owned.itemId };
};

/** An edit that created an event, in this state. */
const ownEdit = (state: string) => async (server: TestApp, user: TestUser) => {
  const { accountId, calendarId } = await insertOwnAccount(server, user);
  const [id, itemId] = [randomUUID(), randomUUID()];
  const core = { busy: 'busy', private: false, self: 'none', kind: 'default' };
  const after = { kind: 'single', when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' }, core };
  const steps = [{ calendarId, connectionId: accountId, itemId, before: null, after, key: 'k' }];
  await sql`insert into edits.edits (id, user_id, connection_id, kind, state, calendar_id, item_id, item_ids, title,
      tell_guests, steps, not_before_ms, created_ms)
    values (${id}, ${user.userId}, ${accountId}, 'create', ${state}, ${calendarId}, ${itemId}, array[${itemId}]::uuid[],
      'Lunch', false, ${JSON.stringify(steps)}, 4000000000000, 0)`.execute(server.app.db);
  return { edit_id: id };
};

const ownSession = async (server: TestApp, user: TestUser) => {
  await openSession(
    server.app.db,
    { id: user.userId },
    { method: 'password', secondFactor: false, request: { id: 'test', ip: '127.0.0.1', userAgent: undefined } },
  );
  // the newest is not the one that this test goes on with
  const { rows } = await sql<{ id: string }>`select id from accounts.sessions where user_id = ${user.userId}
    order by created_at desc limit 1`.execute(server.app.db);
  return { sessionId: rows[0]?.id ?? '' };
};

const ownPasskey = async (server: TestApp, user: TestUser) => {
  const { rows } = await sql<{ id: string }>`
    insert into access.passkeys (id, user_id, credential_id, public_key, is_synced, name)
    values (gen_random_uuid(), ${user.userId}, uuid_send(gen_random_uuid()), '', false, 'Key') returning id`.execute(
    server.app.db,
  );
  return { passkeyId: rows[0]?.id ?? '' };
};

/** An identity of this person's. */
async function insertOwnIdentity({ app }: TestApp, { userId }: TestUser): Promise<string> {
  const id = randomUUID();
  await sql`insert into access.identities (id, user_id, provider, issuer, subject, label)
    values (${id}, ${userId}, 'google', 'https://issuer.example', ${id}, 'x@example.org')`.execute(app.db);
  return id;
}

const ownExport = async (server: TestApp, user: TestUser) => {
  const exportId = randomUUID();
  await replaceExport(server.app.db as Tx, user.userId, exportId);
  await settleExport(server.app.db, exportId, { state: 'ready', sizeBytes: 0 });
  return { exportId };
};

const google = async () => ({ provider: 'google' });

const rule = {};
const group = (own: Record<string, string>) => ({
  name: 'Home and work',
  enabled: true,
  rule,
  members: [{ calendarId: own.calendarId, isSource: true, isTarget: true }],
  pairs: [],
});

/**
 * Every route of the product and who gets which answer; `test/route-table.test.ts` asks each of them and fails for a
 * route that is not here. To add an endpoint, add its row; give `own` where its path names something of the user's.
 */
export const routeTable: readonly Row[] = [
  { route: 'GET /healthz', expect: everybody },
  { route: 'GET /readyz', expect: everybody },
  { route: 'GET /metrics', expect: everybody }, // this machine may; from elsewhere 404, see http.test.ts
  { route: 'GET /api/openapi.json', expect: everybody },
  { route: 'GET /api/docs', expect: everybody },
  { route: 'GET /api/stream', expect: signedIn },

  { route: 'POST /hooks/google', expect: everybody }, // what proves nothing is dropped without a word
  { route: 'POST /hooks/microsoft', body: { value: [] }, expect: { anonymous: 202, user: 202 } },
  { route: 'POST /hooks/microsoft/lifecycle', body: { value: [] }, expect: { anonymous: 202, user: 202 } },

  { route: 'GET /feeds/{file}', own: async () => ({ file: 'x.ics' }), expect: { anonymous: 404, user: 404 } },
  { route: 'GET /api/published-feeds', expect: signedIn },
  { route: 'PUT /api/published-feeds/{content}', own: async () => ({ content: 'busy' }), expect: signedIn },
  { route: 'DELETE /api/published-feeds/{content}', own: async () => ({ content: 'busy' }), expect: signedIn },

  { route: 'POST /auth/signup', body: { email: 'no address', password: 'x' }, expect: { anonymous: 400, user: 400 } },
  {
    route: 'POST /auth/verify-email',
    body: { email: 'x@example.org', code: 'x' },
    expect: { anonymous: 400, user: 400 },
  },
  { route: 'POST /auth/verify-email/resend', body: { email: 'x@example.org' }, expect: everybody },
  { route: 'POST /auth/password/forgot', body: { email: 'x@example.org' }, expect: everybody },
  {
    route: 'POST /auth/password/reset',
    body: { email: 'x@example.org', code: 'x', new_password: 'x' },
    expect: { anonymous: 400, user: 400 },
  },
  { route: 'POST /api/account/password', body: { new_password: 'x' }, expect: { anonymous: 401, user: 400 } },
  { route: 'POST /api/account/email', body: { email: 'no address' }, expect: { anonymous: 401, user: 400 } },
  { route: 'POST /auth/login', body: { email: 'x@example.org', password: 'x' }, expect: { anonymous: 401, user: 401 } },
  { route: 'POST /auth/mfa/verify', body: noChallenge, expect: challengeOnly },
  { route: 'POST /auth/mfa/backup/consume', body: noChallenge, expect: challengeOnly },
  { route: 'POST /auth/mfa/enroll/verify', body: noChallenge, expect: challengeOnly },
  { route: 'POST /auth/mfa/enroll/init', body: {}, expect: signedIn },
  // Only the administrator of this test has a second factor.
  { route: 'POST /auth/mfa/backup/regenerate', expect: { anonymous: 401, user: 409, admin: 200 } },
  { route: 'POST /auth/mfa/disable', endsSession: true, expect: { anonymous: 401, user: 409, admin: 200 } },
  { route: 'GET /api/account/mfa', expect: signedIn },
  { route: 'GET /api/admin/settings', expect: adminOnly },
  { route: 'PATCH /api/admin/settings', body: {}, expect: adminOnly },
  { route: 'POST /auth/logout', endsSession: true, expect: everybody },
  { route: 'GET /auth/profile', expect: signedIn },
  { route: 'POST /auth/logout/everywhere', body: { includingThis: false }, expect: signedIn },
  { route: 'GET /api/account/sessions', expect: signedIn },
  { route: 'DELETE /api/account/sessions/{sessionId}', own: ownSession, expect: ownerOnly(204) },
  { route: 'GET /api/account/mail-troubles', expect: signedIn },
  { route: 'GET /api/account/trail', expect: signedIn },
  { route: 'POST /auth/passkey/options', expect: everybody },
  { route: 'POST /auth/passkey/verify', body: {}, expect: { anonymous: 400, user: 400 } },
  { route: 'GET /api/account/passkeys', expect: signedIn },
  { route: 'POST /api/account/passkeys/options', expect: signedIn },
  { route: 'POST /api/account/passkeys', body: {}, expect: { anonymous: 401, user: 400 } },
  {
    route: 'PATCH /api/account/passkeys/{passkeyId}',
    own: ownPasskey,
    body: { name: 'Laptop' },
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/account/passkeys/{passkeyId}', own: ownPasskey, expect: ownerOnly(204) },
  { route: 'GET /api/account/reauthenticate', expect: signedIn },
  { route: 'POST /api/account/reauthenticate/options', expect: signedIn },
  { route: 'POST /api/account/reauthenticate', body: { password: 'x' }, expect: { anonymous: 401, user: 403 } },
  { route: 'GET /api/session', expect: everybody },
  { route: 'GET /api/account/profile', expect: signedIn },
  { route: 'PATCH /api/account/profile', body: {}, expect: signedIn },
  { route: 'PUT /api/account/avatar', body: {}, expect: { anonymous: 401, user: 415 } }, // JSON is no picture
  { route: 'DELETE /api/account/avatar', expect: signedIn },
  { route: 'GET /api/account/export', expect: signedIn },
  { route: 'POST /api/account/export', expect: { anonymous: 401, user: 202 } },
  {
    route: 'GET /api/account/export/{exportId}/file',
    own: ownExport,
    expect: ownerOnly(200),
  },
  // Another address than one's own: nobody is deleted.
  {
    route: 'POST /api/account/deletion',
    body: { email: 'nobody@example.org' },
    expect: { anonymous: 401, user: 400 },
  },
  { route: 'GET /avatars/{file}', own: async () => ({ file: 'x.webp' }), expect: { anonymous: 404, user: 404 } },
  { route: 'PATCH /api/account/preferences', body: {}, expect: signedIn },

  { route: 'GET /api/sign-in-methods', expect: everybody },
  // Not set up on this server, not begun by this browser: told on the sign-in page.
  { route: 'GET /auth/oauth/{provider}/login', own: google, expect: { anonymous: 303, user: 303 } },
  { route: 'GET /auth/oauth/{provider}/callback', own: google, expect: { anonymous: 303, user: 303 } },
  { route: 'POST /auth/oauth/{provider}/callback', own: google, expect: { anonymous: 404, user: 404 } },
  {
    route: 'POST /auth/oauth/exchange',
    body: { token: 'x', provider: 'google' },
    expect: { anonymous: 410, user: 410 },
  },
  { route: 'GET /api/account/identities', expect: signedIn },
  { route: 'POST /api/account/identities', body: { provider: 'google' }, expect: { anonymous: 401, user: 503 } },
  {
    route: 'DELETE /api/account/identities/{identityId}',
    own: async (server, user) => ({ identityId: await insertOwnIdentity(server, user) }),
    expect: ownerOnly(200),
  },

  { route: 'GET /api/providers', expect: signedIn },
  { route: 'GET /integrations/accounts', expect: signedIn },
  { route: 'GET /integrations/calendars', expect: signedIn },
  { route: 'POST /api/connections/caldav', body: {}, expect: { anonymous: 401, user: 400 } },
  { route: 'POST /api/connections/holdfast', expect: { anonymous: 401, user: 201 } },
  { route: 'POST /api/connections/feed', body: {}, expect: { anonymous: 401, user: 400 } },
  // Not set up on this server.
  { route: 'GET /provider/{provider}/start', own: google, expect: { anonymous: 401, user: 503 } },
  // Goes on to the page that says what was wrong.
  { route: 'GET /provider/{provider}/callback', own: google, expect: { anonymous: 401, user: 303 } },
  // Switched off where the address of the server is set.
  { route: 'POST /dev/simulate/connect', body: { provider: 'google' }, expect: { anonymous: 401, user: 404 } },
  // The owner gets as far as the server, whose address is not called.
  {
    route: 'POST /api/connections/{accountId}/reconnect',
    own: ownAccount,
    body: { password: 'x' },
    expect: ownerOnly(400),
  },
  { route: 'DELETE /integrations/accounts/{accountId}', own: ownAccount, expect: ownerOnly(202) },
  { route: 'PATCH /api/calendars/{calendarId}', own: ownAccount, body: { visible: false }, expect: ownerOnly(200) },

  { route: 'GET /api/calendars', expect: signedIn },
  {
    route: 'GET /api/calendars/events',
    query: { from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' },
    expect: signedIn,
  },

  {
    route: 'POST /events',
    own: ownAccount,
    body: ({ calendarId }: Record<string, string>) => ({
      calendar_id: calendarId,
      title: 'Lunch',
      when: { kind: 'all-day', start: '2027-03-08', end: '2027-03-09' },
      recurrence: null,
      description: '',
      location: '',
      meeting_link: null,
      attendees: [],
      busy: 'busy',
      private: false,
      reminders: null,
      tell_guests: false,
    }),
    expect: ownerOnly(202),
  },
  {
    route: 'PATCH /events/{id}',
    own: ownMirroredEvent,
    body: { scope: 'all', version: 'h', tell_guests: false, changes: { title: 'Dentist, again' } },
    expect: ownerOnly(202),
  },
  {
    route: 'DELETE /events/{id}',
    own: ownMirroredEvent,
    query: { scope: 'all', version: 'h', tell_guests: 'false' },
    expect: ownerOnly(202),
  },
  {
    route: 'GET /api/events/{event_id}',
    own: async (server, user) => ({ event_id: (await insertOwnAccount(server, user)).itemId }),
    expect: ownerOnly(200),
  },
  {
    route: 'GET /api/edits',
    query: { from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' },
    expect: signedIn,
  },
  { route: 'POST /api/edits/{edit_id}/undo', own: ownEdit('pending'), expect: ownerOnly(202) },
  { route: 'POST /api/edits/{edit_id}/retry', own: ownEdit('failed'), expect: ownerOnly(202) },
  {
    route: 'POST /api/edits/{edit_id}/choose',
    own: ownEdit('conflict'),
    body: { keep: 'theirs' },
    expect: ownerOnly(202),
  },
  { route: 'POST /api/edits/{edit_id}/dismiss', own: ownEdit('failed'), expect: ownerOnly(200) },

  { route: 'POST /api/calendars/sync/{accountId}', own: ownAccount, expect: ownerOnly(202) },
  { route: 'GET /api/sync-settings', expect: signedIn },
  {
    route: 'PUT /api/sync-settings',
    body: { pastDays: null, futureDays: 90, pollSeconds: 300, onStale: 'warn', staleAfterMinutes: 30 },
    expect: signedIn,
  },
  { route: 'GET /api/mirror-groups', expect: signedIn },
  {
    route: 'POST /api/mirror-groups',
    body: { name: 'Empty', enabled: true, rule, members: [], pairs: [] },
    expect: { anonymous: 401, user: 201 },
  },
  {
    route: 'PUT /api/mirror-groups/{groupId}',
    own: ownAccount,
    body: (own) => ({ ...group(own), revision: 1 }),
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/mirror-groups/{groupId}', own: ownAccount, expect: ownerOnly(202) },
  {
    route: 'POST /api/mirror-groups/preview',
    own: ownAccount,
    body: (own) => ({ ...group(own), groupId: own.groupId }),
    expect: ownerOnly(200),
  },
  {
    route: 'POST /api/mirror-groups/{groupId}/breaker',
    own: ownAccount,
    body: (own) => ({ sourceCalendarId: own.calendarId, targetCalendarId: own.otherCalendarId, answer: 'keep' }),
    expect: ownerOnly(409), // nothing is held back
  },
  { route: 'GET /api/events/{itemId}/mirrors', own: ownAccount, expect: ownerOnly(200) },
  // Asked about anything, it answers with what is the caller's: nothing here.
  {
    route: 'GET /api/mirror-links',
    query: { item_ids: '00000000-0000-4000-8000-000000000000' },
    expect: signedIn,
  },

  { route: 'GET /api/search', query: { q: 'review' }, expect: signedIn },
  {
    route: 'GET /api/explain/mirror',
    own: ownAccount,
    query: ({ itemId = '' }) => ({ event_id: itemId }),
    expect: ownerOnly(200),
  },
  {
    route: 'GET /api/explain/busy',
    own: ownAccount,
    query: ({ itemId = '' }) => ({ event_id: itemId }),
    expect: ownerOnly(200),
  },

  // Asked about anybody's event, it answers with what is the caller's own time.
  {
    route: 'POST /api/free-times',
    body: { start: '2027-03-01T09:00:00Z', end: '2027-03-01T10:00:00Z' },
    expect: signedIn,
  },

  { route: 'GET /api/notices', expect: signedIn },
  { route: 'POST /api/notices/read', body: { read: true }, expect: signedIn },
  { route: 'GET /meetings', query: { scope: 'mirrors' }, expect: signedIn },
  { route: 'GET /api/meetings/export', query: { scope: 'mirrors' }, expect: signedIn },
  // Asked about anything, it does what is the caller's: nothing here.
  {
    route: 'POST /api/mirrors/resync',
    body: { event_ids: ['00000000-0000-4000-8000-000000000000'] },
    expect: { anonymous: 401, user: 202 },
  },
  { route: 'GET /events/{id}/audit', own: ownMirroredEvent, expect: ownerOnly(200) },
  { route: 'POST /mirrors/{eventId}/resync', own: ownMirroredEvent, expect: ownerOnly(202) },
  { route: 'POST /api/mirrors/{mirrorId}/retry', own: ownAccount, expect: ownerOnly(202) },
];
