import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { HTTPMethods } from 'fastify';
import { sql } from 'kysely';
import { openSession } from '#features/accounts/sessions/public.ts';
import { defaultHours } from '#features/availability/rules/hours.ts';
import { defaultSettings } from '#features/booking/rules/type-settings.ts';
import { finishExport, replaceExport } from '#features/takeout/store.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { insertTeamType, type Mate } from './harness/bookable-team.ts';
import { openAccount } from './harness/open-account.ts';
import { insertOwnAccount } from './harness/own-account.ts';
import { insertOwnTeam } from './harness/own-team.ts';
import { sampleWorkflow } from './harness/sample-workflow.ts';
import type { TestApp } from './harness/test-app.ts';
import type { TestUser } from './harness/test-client.ts';

/** Expected status by kind of caller. `other` requests data of `user`; leave it out where data has no owner. */
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
  /**
   * Creates the data of `user` that the request is about, for each caller. Returns values for the path's parameters and
   * more.
   */
  own?: (server: TestApp, user: TestUser) => Promise<Record<string, string>>;
  /** The caller's token is worth nothing afterwards. */
  endsSession?: true;
  query?: Record<string, string> | ((own: Record<string, string>) => Record<string, string>);
  body?: object | ((own: Record<string, string>) => object);
  /** A file instead of a body: a picture, unless its type is named. */
  file?: Uint8Array<ArrayBuffer>;
  fileType?: string;
}

const smallestPng = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** public pages: an unknown address is a 404 for everybody */
const nothing: Expected = { anonymous: 404, user: 404 };
const nobodysAddress = async () => ({ handle: 'nobody-here', slug: 'nothing', token: 'nothing' });
const signedIn: Expected = { anonymous: 401, user: 200 };
const everybody: Expected = { anonymous: 200, user: 200 };
/** Other signed-in people, administrators included, get a 404. */
const ownerOnly = (status: number): Expected => ({
  anonymous: 401,
  user: status,
  other: 404,
  admin: 404,
  adminWithoutMfa: 404,
});
/** The administrators', in a session with a second factor. */
const why = { reason: 'Looked at by the route table' };
const ownSelf = async (_server: TestApp, user: TestUser) => ({ userId: user.userId });
/** Creates a person for a single row. */
async function ownStranger(server: TestApp): Promise<Record<string, string>> {
  const { userId } = await openAccount(server.app, `stranger-${randomUUID()}@example.org`);
  return { userId };
}
const adminOnly: Expected = { anonymous: 401, user: 403, adminWithoutMfa: 403, admin: 200 };
/** Asks for a challenge, which nobody has here. */
const challengeOnly: Expected = { anonymous: 401, user: 401 };
const noChallenge = { session: 'x', code: '000000' };
const ownAccount = async (server: TestApp, user: TestUser) => ({ ...(await insertOwnAccount(server, user)) });
const ownMirroredEvent = async (server: TestApp, user: TestUser) => {
  const owned = await insertOwnAccount(server, user);
  return { ...owned, id: owned.itemId, eventId: owned.itemId };
};

const ownTeam =
  (options?: Parameters<typeof insertOwnTeam>[2]): NonNullable<Row['own']> =>
  async (server, user) => ({ ...(await insertOwnTeam(server, user, options)) });
const ownDeletedTeam: Row['own'] = async (server, user) => {
  const team = await insertOwnTeam(server, user);
  await sql`update teams.teams set deleted_at = now() where id = ${team.teamId}`.execute(server.app.db);
  return { ...team };
};
/** To the address of `user`, who is in no team. */
const ownInvitation: Row['own'] = async (server, user) => {
  const { teamId, invitationId } = await insertOwnTeam(server, user, { role: 'viewer' });
  await sql`delete from teams.members where team_id = ${teamId} and user_id = ${user.userId}`.execute(server.app.db);
  await sql`update teams.invitations set email = ${user.email} where id = ${invitationId}`.execute(server.app.db);
  return { invitationId };
};

/** Ahead, and where nothing is booked. */
const holdAtMs = () => fiveDaysMs() + 200 * 86_400_000;
const iso = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

const ownHold = (state: 'held' | 'removed') => async (server: TestApp, user: TestUser) => {
  const { calendarId } = await insertOwnAccount(server, user);
  const hold_id = randomUUID();
  const [start, end] = [holdAtMs(), holdAtMs() + 3_600_000];
  await sql`insert into holds.holds (id, user_id, calendar_id, title, rank, range, home_start_ms, home_end_ms, start_ms,
      end_ms, state, created_ms)
    values (${hold_id}, ${user.userId}, ${calendarId}, 'Deep work', 4, '{"kind":"day"}', ${start}, ${end}, ${start}, ${end},
      ${state}, 0)`.execute(server.app.db);
  return { hold_id };
};

let madeDays = 0;
/** Another one for every caller: a person travels once at a time. */
const nextDay = () => (madeDays += 1);

/** A policy that becomes the default in 2100. */
const ownPolicy = async (server: TestApp, user: TestUser) => {
  const policyId = randomUUID();
  const from = Temporal.Instant.from('2100-01-01T00:00:00Z').add({ hours: nextDay() });
  await inTransaction(server.app.db, async (tx) => {
    await sql`insert into availability.policies (id, user_id, name, version, created_ms)
      values (${policyId}, ${user.userId}, ${policyId}, 1, 0)`.execute(tx);
    await sql`insert into availability.versions (policy_id, n, hours, created_ms)
      values (${policyId}, 1, ${JSON.stringify(defaultHours('Europe/Berlin'))}, 0)`.execute(tx);
    await sql`insert into availability.defaults (user_id, from_ms, policy_id)
      values (${user.userId}, ${from.epochMilliseconds}, ${policyId})`.execute(tx);
  });
  return { policyId, from: from.toString({ fractionalSecondDigits: 3 }) };
};

/** Days away, or a rule for holds. */
const ownRow = (table: 'days_off' | 'travels' | 'hold_rules') => async (server: TestApp, user: TestUser) => {
  const id = randomUUID();
  const day = Temporal.PlainDate.from('2027-03-01').add({ days: nextDay() });
  const days = sql`${day}::date, ${day}::date`;
  await {
    days_off: sql`insert into availability.days_off (id, user_id, first_day, last_day) values (${id}, ${user.userId}, ${days})`,
    travels: sql`insert into availability.travels (id, user_id, first_day, last_day, zone)
      values (${id}, ${user.userId}, ${days}, 'Asia/Tokyo')`,
    hold_rules: sql`insert into availability.hold_rules (id, user_id, kind, value)
      values (${id}, ${user.userId}, 'title-prefix', ${id})`,
  }[table].execute(server.app.db);
  return { id };
};

/** As a browser makes one. */
function newSubscription() {
  const p256dh = createECDH('prime256v1').generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  return { endpoint: `https://push.example.org/${randomUUID()}`, keys: { p256dh, auth } };
}

const ownDevice = async ({ app }: TestApp, user: TestUser) => {
  const id = randomUUID();
  await sql`delete from inbox.devices where user_id = ${user.userId}`.execute(app.db);
  await sql`insert into inbox.devices (id, user_id, session_id, slot, subscription, endpoint_hash, host)
    select ${id}, ${user.userId}, s.id, 1, '', ${randomBytes(32)}, 'push.example.org' from accounts.sessions s
    where s.token_hash = ${hashToken(user.token)}`.execute(app.db);
  return { deviceId: id };
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

const nothingForAll: Expected = { anonymous: 404, user: 404, other: 404, admin: 404, adminWithoutMfa: 404 };
const nobodysCredential = async () => ({ credential_id: randomUUID() });
/** At an address that is not called. */
const ownCredential = async ({ app }: TestApp, user: TestUser) => {
  const id = randomUUID();
  const secret = app.keyring.seal(JSON.stringify({ url: 'https://127.0.0.1/', signing: 'whsec_AAAA' }), {
    table: 'workflows.credentials',
    row: id,
    column: 'secret',
  });
  await sql`insert into workflows.credentials (id, user_id, kind, label, settings, secret, simulated, created_ms)
    values (${id}, ${user.userId}, 'crm-webhook', 'CRM', '{}', ${secret}, false, 0)`.execute(app.db);
  return { credential_id: id };
};

const ownSession = async (server: TestApp, user: TestUser) => {
  await openSession(
    server.app.db,
    { id: user.userId },
    { method: 'password', secondFactor: false, request: { id: 'test', ip: '127.0.0.1', userAgent: undefined } },
  );
  // the newest session is not the one that this test uses
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
  await finishExport(server.app.db, exportId, { state: 'ready', sizeBytes: 0 });
  return { exportId };
};

/** An event type, and a link to it. */
const ownEventType = async ({ app }: TestApp, { userId }: TestUser) => {
  const [id, linkId] = [randomUUID(), randomUUID()];
  const token = app.keyring.seal(linkId, { table: 'booking.links', row: linkId, column: 'token' });
  await sql`insert into booking.event_types (id, user_id, slug, title, kind, position, settings)
    values (${id}, ${userId}, ${id}, 'Intro', 'one-on-one', 1, '{}')`.execute(app.db);
  await sql`insert into booking.links (id, user_id, event_type_id, kind, token_hash, token)
    values (${linkId}, ${userId}, ${id}, 'private', uuid_send(${linkId}), ${token})`.execute(app.db);
  return { id, linkId };
};
const ownLink = async (server: TestApp, user: TestUser) => ({ id: (await ownEventType(server, user)).linkId });

/** In five days, on the minute. */
const fiveDaysMs = () => (Math.floor(Temporal.Now.instant().epochMilliseconds / 60_000) + 5 * 1_440) * 60_000;

let madeBookings = 0;
/** A booking in this state, and its guest's address of it. */
const ownBooking =
  (state: 'pending' | 'confirmed', firstMs = fiveDaysMs()) =>
  async (server: TestApp, user: TestUser) => {
    const { db } = server.app;
    const { id: typeId } = await ownEventType(server, user);
    // further away each time: two are made at once, and nobody is in two places
    madeBookings += 1;
    const startMs = firstMs + madeBookings * 3_600_000;
    const [appointmentId, bookingId, token] = [randomUUID(), randomUUID(), randomUUID()];
    const location = { kind: 'link', url: 'https://meet.example.org/' };
    await sql`insert into booking.appointments (id, user_id, event_type_id, host_ids, title, start_ms, end_ms,
        buffer_before_ms, buffer_after_ms, seats, location, event_key)
      values (${appointmentId}, ${user.userId}, ${typeId}, array[${user.userId}]::uuid[], 'Intro', ${startMs},
        ${startMs + 1_800_000}, 0, 0, 1, ${JSON.stringify(location)}::jsonb, ${appointmentId})`.execute(db);
    await sql`insert into booking.blocks (appointment_id, host_id, during)
      values (${appointmentId}, ${user.userId}, int8range(${startMs}, ${startMs + 1_800_000}))`.execute(db);
    await sql`insert into booking.bookings (id, uid, appointment_id, seat, user_id, event_type_id, state, token_hash,
        guest_name, guest_email, guest_zone, created_ms)
      values (${bookingId}, ${bookingId}, ${appointmentId}, 1, ${user.userId}, ${typeId}, ${state}, ${hashToken(token)},
        'Bo', 'bo@example.net', 'UTC', 0)`.execute(db);
    return { booking_id: bookingId, token };
  };

/** A team's round robin of the user and another, and its team. */
const poolOfTwo = async (server: TestApp, user: TestUser) => {
  const { teamId, userId } = await insertOwnTeam(server, user);
  const mates: Mate[] = [{ user }, { user: { userId: userId as UserId } }];
  const { typeId } = await insertTeamType(server, { teamId: teamId as TeamId, handle: teamId }, mates, {
    kind: 'round-robin',
  });
  return { team_id: teamId, userId, id: typeId, stand_in_id: randomUUID() };
};

/** A booking of it that the user has, on a Wednesday at noon in New York, where the other works. */
const teamBooking = async (server: TestApp, user: TestUser) => {
  const { id: typeId } = await poolOfTwo(server, user);
  const { booking_id } = await ownBooking('confirmed')(server, user);
  madeBookings += 1;
  const soon = Temporal.Now.zonedDateTimeISO('America/New_York');
  const startMs = soon
    .add({ days: ((10 - soon.dayOfWeek) % 7) + 7 + 7 * madeBookings })
    .withPlainTime('12:00').epochMilliseconds;
  const of = sql`(select appointment_id from booking.bookings where id = ${booking_id})`;
  await sql`delete from booking.blocks where appointment_id = ${of}`.execute(server.app.db);
  await sql`update booking.appointments set event_type_id = ${typeId}, start_ms = ${startMs}, end_ms = ${startMs + 1_800_000}
    where id = ${of}`.execute(server.app.db);
  await sql`insert into booking.blocks (appointment_id, host_id, during)
    values (${of}, ${user.userId}, int8range(${startMs}, ${startMs + 1_800_000}))`.execute(server.app.db);
  await sql`update booking.bookings set event_type_id = ${typeId} where id = ${booking_id}`.execute(server.app.db);
  return { booking_id };
};

/** A booking that something else takes the time of. */
const askedBooking = async (server: TestApp, user: TestUser) => {
  const own = await ownBooking('confirmed')(server, user);
  const questionId = randomUUID();
  await sql`insert into booking.questions (id, user_id, appointment_id, kind, subject, start_ms, end_ms, asked_ms)
    select ${questionId}, user_id, appointment_id, 'conflict', ${questionId}, 0, 1, 0 from booking.bookings
    where id = ${own.booking_id}`.execute(server.app.db);
  return { ...own, question_id: questionId };
};

/** Where an event type can be booked. */
const ownAddress = async (server: TestApp, user: TestUser) => {
  const { id } = await ownEventType(server, user);
  const handle = randomUUID().replaceAll('-', '');
  await sql`delete from booking.handles where user_id = ${user.userId}`.execute(server.app.db);
  await sql`insert into booking.handles (look, handle, user_id) values (sha256(${handle}), ${handle}, ${user.userId})`.execute(
    server.app.db,
  );
  return { handle, slug: id };
};

/** A workflow, and a run of it that was given up. */
const ownWorkflow = async ({ app }: TestApp, { userId }: TestUser) => {
  const [id, runId] = [randomUUID(), randomUUID()];
  await sql`insert into workflows.workflows (id, user_id, name, active, version, trigger)
    values (${id}, ${userId}, 'Reminder', true, 1, 'before-event')`.execute(app.db);
  await sql`insert into workflows.versions (workflow_id, n, definition, created_ms)
    values (${id}, 1, ${JSON.stringify(sampleWorkflow)}, 0)`.execute(app.db);
  await sql`insert into workflows.runs (id, workflow_id, user_id, step_id, version, position, kind, subject, occurrence,
      state, reason, due_ms, created_ms, settled_ms)
    values (${runId}, ${id}, ${userId}, ${id}, 1, 0, 'send-email', 'nothing', 0, 'dead', 'bounced', 0, 0, 0)`.execute(
    app.db,
  );
  return { id, run_id: runId };
};
/** A contact with a note, one that it may be, and one that was merged into it. */
const ownContact = async ({ app }: TestApp, { userId }: TestUser) => {
  const [id, otherId, mergedId, noteId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  for (const [one, person] of [
    [id, id],
    [otherId, otherId],
    [mergedId, id],
  ]) {
    await sql`insert into contacts.contacts (id, user_id, person_id, address, address_key, text, source, created_ms, changed_ms)
      values (${one}, ${userId}, ${person}, ${`${one}@example.net`}, ${`${one}@example.net`}, ' x', 'hand', 0, 0)`.execute(
      app.db,
    );
  }
  await sql`insert into contacts.notes (id, contact_id, body, at_ms) values (${noteId}, ${id}, 'x', 0)`.execute(app.db);
  return { id, other_id: otherId, merged_id: mergedId, note_id: noteId };
};
const ownDeletedContact = async (server: TestApp, user: TestUser) => {
  const own = await ownContact(server, user);
  const nowMs = server.app.clock.nowMs();
  await sql`update contacts.contacts set deleted_ms = ${nowMs} where id = ${own.id}`.execute(server.app.db);
  await sql`update contacts.notes set deleted_ms = ${nowMs} where id = ${own.note_id}`.execute(server.app.db);
  return own;
};
const ownSharedContact = async (server: TestApp, user: TestUser) => {
  const own = await ownContact(server, user);
  const { teamId } = await insertOwnTeam(server, user);
  return { ...own, team_id: teamId };
};
const formDefinition = {
  type: 'conditional',
  title: 'How can we help?',
  intro: '',
  questions: [{ id: 'name', label: 'Name', kind: 'text', required: true }],
  rules: [],
  fallback: { kind: 'message', text: 'We will be in touch.' },
  frames: [],
};
/** A person's form. */
const ownForm = async ({ app }: TestApp, { userId }: TestUser) => {
  const id = randomUUID();
  await sql`insert into routing.forms (id, user_id, name, description, slug, active, definition, created_ms, changed_ms)
    values (${id}, ${userId}, 'Help', '', ${id}, true, ${JSON.stringify(formDefinition)}, 0, 0)`.execute(app.db);
  return { id };
};
const formMessage = formDefinition.fallback;
/** Creates a submission of a person's own form. */
const ownSubmission = async (server: TestApp, user: TestUser) => {
  const { id: formId } = await ownForm(server, user);
  const id = randomUUID();
  const decision = {
    ruleId: null,
    ruleName: null,
    reasons: [],
    action: formMessage,
    trouble: null,
    leadsTo: 'x',
    hostIds: null,
  };
  await sql`insert into routing.submissions (id, form_id, revision, attempt, answers, said, decision, created_ms)
    values (${id}, ${formId}, 1, ${id}, '{}', '[]', ${JSON.stringify(decision)}, 0)`.execute(server.app.db);
  return { id: formId, submission_id: id };
};
const otherContact = (own: Record<string, string>) => ({ other_id: own.other_id });
const contactFile = { file: new TextEncoder().encode('Email\nnina@example.net\n'), fileType: 'text/csv' };

const workflowStep = { trigger: 'before-event', action: sampleWorkflow.steps[0]?.action };

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
  { route: 'GET /metrics', expect: { anonymous: 404, user: 404 } }, // with a key: mail-page.test.ts
  { route: 'GET /api/openapi.json', expect: everybody },
  { route: 'GET /api/docs', expect: everybody },
  { route: 'GET /api/stream', expect: signedIn },

  // callers without the secret learn only that nothing is there
  { route: 'POST /hooks/twilio/{credential_id}/inbound', own: nobodysCredential, expect: nothingForAll },
  { route: 'POST /hooks/twilio/{credential_id}/status', own: nobodysCredential, expect: nothingForAll },
  { route: 'POST /hooks/sms/{credential_id}', own: nobodysCredential, expect: nothingForAll },
  { route: 'GET /api/workflows/credentials', expect: signedIn },
  {
    route: 'POST /api/workflows/credentials',
    body: { kind: 'slack-webhook', label: 'Sales', url: 'https://example.org/' }, // no address of Slack's
    expect: { anonymous: 401, user: 400 },
  },
  { route: 'POST /dev/simulate/credential', body: { kind: 'hubspot' }, expect: { anonymous: 401, user: 404 } },
  {
    route: 'POST /api/workflows/credentials/{credential_id}/test',
    own: ownCredential,
    expect: ownerOnly(503), // no service answers there
  },
  { route: 'DELETE /api/workflows/credentials/{credential_id}', own: ownCredential, expect: ownerOnly(200) },
  { route: 'GET /api/workflows/numbers', expect: signedIn },
  { route: 'POST /api/workflows/numbers', body: { phone: '+4915112345678', given: true }, expect: signedIn },
  { route: 'POST /hooks/google', expect: everybody }, // unproved notices are dropped without a hint
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
  { route: 'PATCH /api/admin/settings', body: { reason: 'looked at' }, expect: adminOnly },
  { route: 'POST /api/admin/audit/verification', expect: adminOnly },
  { route: 'GET /api/admin/billing/plans', expect: adminOnly },
  {
    route: 'PATCH /api/admin/billing/plans/{planKey}',
    own: async () => ({ planKey: 'nobody-has-it' }),
    body: { revision: 1, reason: 'looked at' },
    expect: { ...adminOnly, admin: 404 },
  },
  { route: 'GET /api/admin/billing/invoices', expect: adminOnly },
  // billing is off here
  { route: 'GET /api/admin/billing/trials', query: { email: 'a@example.org' }, expect: { ...adminOnly, admin: 409 } },
  {
    route: 'POST /api/admin/billing/trials',
    body: { email: 'a@example.org', ends_at: '2027-03-01T09:00:00Z', reason: 'looked at' },
    expect: { ...adminOnly, admin: 409 },
  },
  { route: 'GET /api/admin/billing/codes', expect: adminOnly },
  {
    route: 'POST /api/admin/billing/codes',
    body: {
      code: 'SPRING',
      percent: 10,
      amount: null,
      months: 1,
      extra_days: null,
      max_uses: 1,
      expires_at: null,
      reason: 'looked at',
    },
    expect: { ...adminOnly, admin: 409 },
  },
  {
    route: 'POST /api/admin/billing/codes/ending',
    body: () => ({ code_id: randomUUID(), reason: 'looked at' }),
    expect: { ...adminOnly, admin: 404 },
  },
  { route: 'POST /api/billing/codes', body: { code: 'SPRING' }, expect: { anonymous: 401, user: 409 } },
  { route: 'GET /api/admin/health', expect: adminOnly },
  { route: 'GET /api/admin/integrations', expect: adminOnly },
  { route: 'GET /api/admin/overview', expect: adminOnly },
  { route: 'GET /api/admin/keys', expect: adminOnly },
  {
    route: 'POST /api/admin/keys',
    body: { name: 'a script', scopes: ['read'], reason: 'looked at' },
    expect: adminOnly,
  },
  {
    route: 'POST /api/admin/keys/revocation',
    body: () => ({ keyId: randomUUID(), reason: 'looked at' }),
    expect: { ...adminOnly, admin: 404 },
  },
  { route: 'GET /api/admin/flags', expect: adminOnly },
  {
    route: 'PATCH /api/admin/flags',
    body: { name: 'weekly-digest', enabled: true, rollout: 100, reason: 'looked at' },
    expect: adminOnly,
  },
  { route: 'GET /api/admin/branding', expect: adminOnly },
  {
    route: 'PUT /api/admin/branding',
    body: { name: null, color: null, logo: null, darkLogo: null, reason: 'looked at' },
    expect: adminOnly,
  },
  // JSON is no picture
  { route: 'POST /api/admin/branding/pictures', body: {}, expect: { ...adminOnly, admin: 415 } },
  { route: 'PATCH /api/admin/retention', body: { logDays: 30, reason: 'looked at' }, expect: adminOnly },
  { route: 'POST /api/admin/mail-test', body: { reason: 'looked at' }, expect: adminOnly },
  { route: 'POST /api/admin/overview/counting', expect: adminOnly },
  {
    route: 'POST /api/admin/integrations/resync',
    own: ownAccount,
    body: ({ accountId = '' }) => ({ provider: 'caldav', profile: 'generic', accountId, reason: 'looked at' }),
    expect: { ...adminOnly, admin: 204 },
  },
  { route: 'GET /api/admin/audit', expect: adminOnly },
  { route: 'GET /api/admin/audit/export.csv', expect: adminOnly },
  { route: 'GET /api/admin/audit/export.json', expect: adminOnly },
  { route: 'GET /api/admin/users', query: { search: 'nobody' }, expect: adminOnly },
  { route: 'GET /api/admin/users/{userId}', own: ownSelf, expect: adminOnly },
  { route: 'POST /api/admin/users/{userId}/suspension', own: ownStranger, body: why, expect: adminOnly },
  { route: 'POST /api/admin/users/{userId}/resumption', own: ownStranger, body: why, expect: adminOnly },
  {
    route: 'POST /api/admin/users/{userId}/verification',
    own: ownStranger,
    body: why,
    expect: { ...adminOnly, admin: 409 }, // confirmed already
  },
  {
    route: 'POST /api/admin/users/{userId}/mfa-reset',
    own: ownStranger,
    body: why,
    expect: { ...adminOnly, admin: 409 }, // none exists
  },
  { route: 'POST /api/admin/users/{userId}/impersonation', own: ownStranger, body: why, expect: adminOnly },
  // nobody is impersonated
  { route: 'POST /api/impersonation/end', expect: { anonymous: 401, user: 409 } },
  {
    route: 'POST /api/admin/users/{userId}/export',
    own: ownStranger,
    body: why,
    expect: { ...adminOnly, admin: 202 },
  },
  { route: 'GET /api/admin/users/{userId}/export', own: ownSelf, expect: adminOnly },
  {
    route: 'GET /api/admin/users/{userId}/export/{exportId}/file',
    own: async (server, user) => {
      const { userId = '' } = await ownStranger(server);
      return { userId, ...(await ownExport(server, { ...user, userId: userId as UserId })) };
    },
    expect: adminOnly,
  },
  {
    route: 'POST /api/admin/users/{userId}/deletion',
    own: ownStranger,
    body: { ...why, email: 'somebody-else@example.org' },
    expect: { ...adminOnly, admin: 400 }, // not their address
  },
  { route: 'POST /auth/logout', endsSession: true, expect: everybody },
  { route: 'GET /auth/profile', expect: signedIn },
  { route: 'POST /auth/logout/everywhere', body: { includingThis: false }, expect: signedIn },
  { route: 'GET /api/account/sessions', expect: signedIn },
  { route: 'DELETE /api/account/sessions/{sessionId}', own: ownSession, expect: ownerOnly(204) },
  { route: 'GET /api/account/mail-troubles', expect: signedIn },
  { route: 'GET /api/account/devices', expect: signedIn },
  { route: 'PUT /api/account/devices/current', body: () => newSubscription(), expect: signedIn },
  { route: 'DELETE /api/account/devices/{deviceId}', own: ownDevice, expect: ownerOnly(204) },
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
  { route: 'GET /brand/{file}', own: async () => ({ file: 'x.png' }), expect: { anonymous: 404, user: 404 } },
  { route: 'GET /avatars/{file}', own: async () => ({ file: 'x.webp' }), expect: { anonymous: 404, user: 404 } },
  { route: 'PATCH /api/account/preferences', body: {}, expect: signedIn },

  { route: 'GET /api/teams', expect: signedIn },
  { route: 'POST /api/teams', own: ownTeam(), body: { name: 'Sales' }, expect: { anonymous: 401, user: 201 } },
  { route: 'GET /api/teams/{teamId}', own: ownTeam(), expect: ownerOnly(200) },
  { route: 'PATCH /api/teams/{teamId}', own: ownTeam(), body: { name: 'Support' }, expect: ownerOnly(200) },
  {
    route: 'PUT /api/teams/{teamId}/logo',
    own: ownTeam(),
    file: Buffer.from(smallestPng, 'base64'),
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/teams/{teamId}/logo', own: ownTeam(), expect: ownerOnly(200) },
  { route: 'POST /api/teams/{teamId}/deletion', own: ownTeam(), body: { name: 'Sales' }, expect: ownerOnly(204) },
  { route: 'POST /api/teams/{teamId}/restore', own: ownDeletedTeam, expect: ownerOnly(200) },
  { route: 'GET /api/teams/{teamId}/trail', own: ownTeam(), expect: ownerOnly(200) },
  {
    route: 'PATCH /api/teams/{teamId}/members/{userId}',
    own: ownTeam(),
    body: { role: 'admin' },
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/teams/{teamId}/members/{userId}', own: ownTeam(), expect: ownerOnly(204) },
  { route: 'PUT /api/teams/{teamId}/sharing', own: ownTeam(), body: { shares: 'details' }, expect: ownerOnly(200) },
  {
    route: 'PUT /api/teams/{teamId}/transfer',
    own: ownTeam(),
    body: ({ userId }) => ({ user_id: userId }),
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/teams/{teamId}/transfer', own: ownTeam(), expect: ownerOnly(200) },
  {
    route: 'POST /api/teams/{teamId}/transfer/accept',
    own: ownTeam({ role: 'admin', asked: true }),
    expect: ownerOnly(200),
  },
  {
    route: 'POST /api/teams/{teamId}/invitations',
    own: ownTeam(),
    body: ({ teamId }) => ({ email: `${teamId}@example.org`, role: 'editor' }),
    expect: ownerOnly(200),
  },
  {
    route: 'POST /api/teams/{teamId}/invitations/{invitationId}/resend',
    own: ownTeam(),
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/teams/{teamId}/invitations/{invitationId}', own: ownTeam(), expect: ownerOnly(200) },
  { route: 'GET /api/team-invitations/{token}', own: ownTeam(), expect: signedIn },
  { route: 'POST /api/invitations/{invitationId}/accept', own: ownInvitation, expect: ownerOnly(200) },
  { route: 'POST /api/invitations/{invitationId}/decline', own: ownInvitation, expect: ownerOnly(204) },
  { route: 'GET /team-logos/{file}', own: async () => ({ file: 'x.webp' }), expect: { anonymous: 404, user: 404 } },
  {
    route: 'GET /api/teams/{teamId}/busy',
    own: ownTeam(),
    query: { from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' },
    expect: ownerOnly(200),
  },
  { route: 'GET /api/teams/{teamId}/handle', own: ownTeam(), expect: ownerOnly(200) },
  {
    route: 'GET /api/teams/{teamId}/handle/check',
    own: ownTeam(),
    query: { handle: 'anna' },
    expect: ownerOnly(200),
  },
  {
    route: 'PUT /api/teams/{teamId}/handle',
    own: ownTeam(),
    body: ({ teamId = '' }) => ({ handle: `t${teamId.slice(0, 20)}` }),
    expect: ownerOnly(200),
  },

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
  // redirects to the page that explains the failure
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
  // the account still lists it
  { route: 'DELETE /api/calendars/{calendarId}', own: ownAccount, expect: ownerOnly(409) },

  { route: 'GET /api/calendars', expect: signedIn },
  { route: 'GET /api/calendars/{calendarId}/warnings', own: ownAccount, expect: ownerOnly(200) },
  { route: 'GET /api/calendars/{calendarId}/kept', own: ownAccount, expect: ownerOnly(200) },
  { route: 'GET /api/calendars/{calendarId}/file', own: ownAccount, expect: ownerOnly(200) },
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
    route: 'POST /api/events/{event_id}/answer',
    own: async (server, user) => {
      const { itemId } = await insertOwnAccount(server, user);
      await sql`update calendar.items set body = jsonb_set(body::jsonb, '{core,self}', '"needs-action"')::text where id = ${itemId}`.execute(
        server.app.db,
      );
      return { event_id: itemId };
    },
    body: { answer: 'accepted', scope: 'all', version: 'h', note: null, tell_organizer: false },
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
  { route: 'GET /api/availability', expect: signedIn },
  {
    route: 'GET /api/availability/hours',
    query: { from: '2027-03-01T00:00:00Z', to: '2027-03-08T00:00:00Z' },
    expect: signedIn,
  },
  {
    route: 'POST /api/availability/policies',
    body: { name: 'Usual', hours: defaultHours('Europe/Berlin'), note: '', apply: true },
    expect: { anonymous: 401, user: 201 },
  },
  {
    route: 'PUT /api/availability/policies/{policyId}',
    own: ownPolicy,
    body: { version: 1, name: 'Renamed', hours: defaultHours('Europe/Berlin'), note: '' },
    expect: ownerOnly(200),
  },
  { route: 'GET /api/availability/policies/{policyId}/versions', own: ownPolicy, expect: ownerOnly(200) },
  {
    route: 'POST /api/availability/policies/{policyId}/apply',
    own: ownPolicy,
    body: { from: null },
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/availability/switches/{from}', own: ownPolicy, expect: ownerOnly(200) },
  {
    route: 'POST /api/availability/policies/{policyId}/roll-back',
    own: ownPolicy,
    body: { version: 1, to: 1 },
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/availability/policies/{policyId}', own: ownPolicy, expect: ownerOnly(409) }, // in use
  {
    route: 'POST /api/availability/days-off',
    body: { first_day: '2027-03-01', last_day: '2027-03-02', reason: '' },
    expect: { anonymous: 401, user: 201 },
  },
  { route: 'DELETE /api/availability/days-off/{id}', own: ownRow('days_off'), expect: ownerOnly(200) },
  {
    route: 'POST /api/availability/travels',
    body: { first_day: '2027-03-01', last_day: '2027-03-02', zone: 'Asia/Tokyo' },
    expect: { anonymous: 401, user: 201 },
  },
  { route: 'DELETE /api/availability/travels/{id}', own: ownRow('travels'), expect: ownerOnly(200) },
  { route: 'GET /api/availability/holiday-countries', expect: signedIn },
  {
    route: 'PUT /api/availability/holidays',
    body: { country: 'DE', region: null, worked: [] },
    expect: signedIn,
  },
  {
    route: 'POST /api/availability/holds',
    body: { kind: 'focus', value: '', rank: 4 },
    expect: { anonymous: 401, user: 201 },
  },
  { route: 'DELETE /api/availability/holds/{id}', own: ownRow('hold_rules'), expect: ownerOnly(200) },
  { route: 'GET /api/holds', expect: signedIn },
  {
    route: 'POST /api/holds',
    own: ownAccount,
    body: ({ calendarId }) => ({
      calendar_id: calendarId,
      title: 'Deep work',
      start: iso(holdAtMs()),
      end: iso(holdAtMs() + 3_600_000),
      rank: 4,
      range: { kind: 'day' },
      expires_at: null,
      harden_before_minutes: null,
    }),
    expect: ownerOnly(201),
  },
  { route: 'GET /api/holds/{hold_id}', own: ownHold('held'), expect: ownerOnly(200) },
  {
    route: 'PATCH /api/holds/{hold_id}',
    own: ownHold('held'),
    body: { version: 1, changes: { rank: 2 } },
    expect: ownerOnly(200),
  },
  { route: 'DELETE /api/holds/{hold_id}', own: ownHold('held'), expect: ownerOnly(200) },
  { route: 'POST /api/holds/{hold_id}/restore', own: ownHold('removed'), expect: ownerOnly(200) },
  { route: 'GET /api/mirror-groups', expect: signedIn },
  {
    route: 'POST /api/mirror-groups',
    // the rows before have made more than a person may have
    own: async ({ app: { db } }, { userId }) => {
      await sql`delete from sync.groups where user_id = ${userId}`.execute(db);
      return {};
    },
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
    route: 'GET /calendars/availability',
    query: { start_time: '2027-03-01T09:00:00Z', end_time: '2027-03-01T17:00:00Z' },
    expect: signedIn,
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
  // Asked about anybody, it answers with the times of teammates alone.
  {
    route: 'POST /api/guest-times',
    body: { start: '2027-03-01T09:00:00Z', end: '2027-03-01T10:00:00Z', guests: ['nina@example.net'] },
    expect: signedIn,
  },
  // Accounts of the caller are asked alone, whatever calendar is named.
  {
    route: 'POST /api/guest-busy',
    body: { calendar_id: randomUUID(), from: 1_800_000_000_000, to: 1_800_086_400_000, guests: ['nina@example.net'] },
    expect: signedIn,
  },
  { route: 'GET /api/invitations', expect: signedIn },

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

  {
    route: 'GET /{handle}/{slug}',
    own: async () => ({ handle: 'nobody-here', slug: 'nothing' }),
    expect: { anonymous: 404, user: 404 },
  },
  { route: 'GET /{handle}/forms/{slug}', own: nobodysAddress, expect: nothing },
  { route: 'POST /{handle}/forms/{slug}', own: nobodysAddress, expect: nothing },
  { route: 'GET /l/{token}', own: nobodysAddress, expect: nothing },
  { route: 'POST /l/{token}', own: nobodysAddress, expect: nothing },
  { route: 'POST /{handle}/{slug}', own: nobodysAddress, expect: nothing },
  { route: 'GET /booked/{token}', own: nobodysAddress, expect: nothing },
  { route: 'GET /booked/{token}/calendar.ics', own: nobodysAddress, expect: nothing },
  { route: 'GET /booked/{token}/cancel', own: nobodysAddress, expect: nothing },
  { route: 'POST /booked/{token}/cancel', own: nobodysAddress, expect: nothing },
  { route: 'GET /booked/{token}/message', own: nobodysAddress, expect: nothing },
  { route: 'POST /booked/{token}/message', own: nobodysAddress, expect: nothing },
  { route: 'GET /booked/{token}/reschedule', own: nobodysAddress, expect: nothing },
  { route: 'POST /booked/{token}/reschedule', own: nobodysAddress, expect: nothing },
  { route: 'POST /booked/{token}/confirm', own: nobodysAddress, expect: { anonymous: 303, user: 303 } },
  { route: 'POST /api/connections/outcome', expect: signedIn },
  { route: 'GET /invite/{token}', own: nobodysAddress, expect: nothing },
  { route: 'POST /invite/{token}', own: nobodysAddress, expect: nothing },
  { route: 'POST /booked/{token}/mail', own: nobodysAddress, expect: { anonymous: 303, user: 303 } },
  {
    route: 'GET /api/book/offsets',
    query: { zone: 'Europe/Paris', from: '30000000', to: '30001440' },
    expect: everybody,
  },
  {
    route: 'POST /api/book/overlay',
    body: { kind: 'own', from: 30_000_000, days: 1, zone: 'UTC' },
    expect: { anonymous: 401, user: 200 },
  },
  {
    route: 'POST /api/book/overlay/file',
    query: { from: '30000000', days: '1', zone: 'UTC' },
    file: new TextEncoder().encode('BEGIN:VCALENDAR\nEND:VCALENDAR'),
    fileType: 'text/calendar',
    expect: everybody,
  },
  { route: 'GET /api/first-steps', expect: signedIn },
  { route: 'PATCH /api/first-steps', body: { copied: true }, expect: signedIn },
  { route: 'GET /api/help/support', expect: signedIn },
  // the tests' operator has given no address
  { route: 'POST /api/help/support', body: { message: 'Help' }, expect: { anonymous: 401, user: 409 } },
  { route: 'GET /', expect: everybody },
  { route: 'GET /home', expect: everybody },
  // whom a cookie signs in is sent on from some: access/entrance.test.ts
  { route: 'GET /login', expect: everybody },
  { route: 'GET /admin/login', expect: everybody },
  { route: 'GET /signup', expect: everybody },
  { route: 'GET /mfa/verify', expect: everybody },
  { route: 'GET /verify-email', expect: everybody },
  { route: 'GET /password/forgot', expect: everybody },
  { route: 'GET /password/reset', expect: everybody },
  { route: 'GET /docs', expect: everybody },
  { route: 'GET /docs/{name}', own: async () => ({ name: 'mirrors' }), expect: everybody },
  { route: 'GET /privacy', expect: everybody },
  { route: 'GET /terms', expect: everybody },
  { route: 'GET /security', expect: everybody },
  { route: 'GET /robots.txt', expect: everybody },
  { route: 'GET /sitemap.xml', expect: everybody },
  { route: 'POST /subscribe', expect: { anonymous: 422, user: 422 } },
  { route: 'GET /subscribe/{token}', own: nobodysAddress, expect: nothing },
  { route: 'POST /subscribe/{token}', own: nobodysAddress, expect: nothing },
  { route: 'GET /unsubscribe/{token}', own: nobodysAddress, expect: nothing },
  { route: 'POST /unsubscribe/{token}', own: nobodysAddress, expect: nothing },
  { route: 'GET /{handle}', own: async () => ({ handle: 'nobody-here' }), expect: { anonymous: 404, user: 404 } },
  { route: 'GET /api/handle', expect: signedIn },
  { route: 'GET /api/blocked-guests', expect: signedIn },
  { route: 'PUT /api/blocked-guests', body: { entries: [] }, expect: signedIn },
  { route: 'GET /api/handle/check', query: { handle: 'anna' }, expect: signedIn },
  {
    route: 'PUT /api/handle',
    own: async () => ({ handle: `u${randomUUID().slice(0, 20)}` }),
    body: ({ handle }) => ({ handle }),
    expect: signedIn,
  },
  ...[
    'booking-trends',
    'popular-time-slots',
    'popular-time-slots/draft',
    'kpi/total-meetings',
    'kpi/no-show-rate',
    'kpi/avg-booking-time',
    'kpi/conversion-rate',
    'funnel',
    'calendar-health',
    'conflict-prevention',
    'meeting-sources',
    'capacity-utilization',
    'participant-insights',
    'meeting-forecast',
    'dashboard',
    'filters',
    'digest',
  ].map((name): Row => ({ route: `GET /analytics/${name}`, expect: signedIn })),
  { route: 'GET /api/billing', expect: signedIn },
  // billing is off here
  ...(['refresh', 'checkout', 'subscription/cancellation'] as const).map(
    (name): Row => ({
      route: `POST /api/billing/${name}`,
      expect: { anonymous: 401, user: 409 },
      ...(name === 'checkout' ? { body: { plan_key: 'pro' } } : {}),
    }),
  ),
  { route: 'DELETE /api/billing/subscription/cancellation', expect: { anonymous: 401, user: 409 } },
  { route: 'PUT /api/billing/subscription', body: { plan_key: 'pro' }, expect: { anonymous: 401, user: 409 } },
  { route: 'POST /api/account/billing/portal', expect: { anonymous: 401, user: 409 } },
  { route: 'POST /hooks/stripe', body: {}, expect: { anonymous: 400, user: 400 } },
  { route: 'GET /analytics/export.csv', query: { panel: 'funnel' }, expect: signedIn },
  { route: 'PUT /analytics/digest', body: { weekly: true }, expect: signedIn },
  { route: 'GET /api/contacts', expect: signedIn },
  { route: 'GET /api/guest-suggestions', query: { q: 'n' }, expect: signedIn },
  {
    route: 'POST /api/contacts',
    body: () => ({ address: `${randomUUID()}@example.net` }),
    expect: { anonymous: 401, user: 201 },
  },
  { route: 'GET /api/contacts/duplicates', expect: signedIn },
  { route: 'GET /api/contacts/export.csv', expect: signedIn },
  { route: 'GET /api/contacts/export.vcf', expect: signedIn },
  { route: 'POST /api/contacts/imports/preview', ...contactFile, expect: signedIn },
  { route: 'POST /api/contacts/imports', ...contactFile, expect: signedIn },
  { route: 'GET /api/contacts/{id}', own: ownContact, expect: ownerOnly(200) },
  { route: 'PATCH /api/contacts/{id}', own: ownContact, body: { name: 'Nina' }, expect: ownerOnly(204) },
  { route: 'DELETE /api/contacts/{id}', own: ownContact, expect: ownerOnly(204) },
  { route: 'POST /api/contacts/{id}/restore', own: ownDeletedContact, expect: ownerOnly(204) },
  { route: 'GET /api/contacts/{id}/meetings', own: ownContact, expect: ownerOnly(200) },
  { route: 'POST /api/contacts/{id}/notes', own: ownContact, body: { body: 'x' }, expect: ownerOnly(201) },
  { route: 'DELETE /api/contacts/{id}/notes/{note_id}', own: ownContact, expect: ownerOnly(204) },
  { route: 'POST /api/contacts/{id}/notes/{note_id}/restore', own: ownDeletedContact, expect: ownerOnly(204) },
  { route: 'POST /api/contacts/{id}/merge', own: ownContact, body: otherContact, expect: ownerOnly(200) },
  {
    route: 'POST /api/contacts/{id}/split',
    own: ownContact,
    body: (own) => ({ ids: [own.merged_id] }),
    expect: ownerOnly(204),
  },
  { route: 'POST /api/contacts/{id}/keep-apart', own: ownContact, body: otherContact, expect: ownerOnly(204) },
  // a contact of one's own, who has never booked
  {
    route: 'POST /api/contacts/{id}/follow-up',
    own: ownContact,
    body: { subject: 'Hello', body: 'x' },
    expect: ownerOnly(503),
  },
  {
    route: 'PUT /api/contacts/{id}/owners/{team_id}',
    own: ownSharedContact,
    body: { user_id: null },
    expect: ownerOnly(204),
  },

  { route: 'GET /api/routing/forms', expect: signedIn },
  {
    route: 'POST /api/routing/forms',
    body: { name: 'Help', definition: formDefinition },
    expect: { anonymous: 401, user: 201 },
  },
  { route: 'GET /api/routing/forms/{id}', own: ownForm, expect: ownerOnly(200) },
  {
    route: 'PUT /api/routing/forms/{id}',
    own: ownForm,
    body: ({ id }) => ({ revision: 1, name: 'Help', description: '', slug: id, definition: formDefinition }),
    expect: ownerOnly(200),
  },
  { route: 'PATCH /api/routing/forms/{id}', own: ownForm, body: { active: false }, expect: ownerOnly(200) },
  { route: 'DELETE /api/routing/forms/{id}', own: ownForm, expect: ownerOnly(204) },
  {
    route: 'POST /api/routing/forms/{id}/restore',
    own: async (server, user) => {
      const own = await ownForm(server, user);
      const nowMs = server.app.clock.nowMs();
      await sql`update routing.forms set deleted_ms = ${nowMs} where id = ${own.id}`.execute(server.app.db);
      return own;
    },
    expect: ownerOnly(200),
  },
  { route: 'GET /api/routing/targets', expect: signedIn },
  { route: 'GET /api/routing/forms/{id}/submissions', own: ownForm, expect: ownerOnly(200) },
  { route: 'GET /api/routing/submissions/{submission_id}', own: ownSubmission, expect: ownerOnly(200) },
  {
    route: 'POST /api/routing/submissions/{submission_id}/reroute',
    own: ownSubmission,
    body: { sequence: 0, action: formMessage },
    expect: ownerOnly(200),
  },
  {
    route: 'GET /api/routing/fairness',
    own: async (server, user) => {
      const { teamId } = await insertOwnTeam(server, user);
      const team = { teamId: teamId as TeamId, handle: 'sales' };
      const { typeId } = await insertTeamType(server, team, [{ user }], { kind: 'round-robin' });
      return { typeId };
    },
    query: ({ typeId = '' }) => ({
      event_type_id: typeId,
      from: '2027-01-01T00:00:00Z',
      to: '2027-02-01T00:00:00Z',
    }),
    expect: ownerOnly(200),
  },
  {
    route: 'POST /api/routing/test',
    body: { definition: formDefinition, answers: { name: 'Nina' } },
    expect: signedIn,
  },

  { route: 'GET /api/workflows', expect: signedIn },
  {
    route: 'POST /api/workflows',
    body: { name: 'Reminder', definition: sampleWorkflow },
    expect: { anonymous: 401, user: 201 },
  },
  { route: 'GET /api/workflows/{id}', own: ownWorkflow, expect: ownerOnly(200) },
  {
    route: 'PUT /api/workflows/{id}',
    own: ownWorkflow,
    body: { version: 1, name: 'Reminder', definition: sampleWorkflow },
    expect: ownerOnly(200),
  },
  { route: 'PATCH /api/workflows/{id}', own: ownWorkflow, body: { active: false }, expect: ownerOnly(200) },
  { route: 'DELETE /api/workflows/{id}', own: ownWorkflow, expect: ownerOnly(204) },
  {
    route: 'POST /api/workflows/{id}/restore',
    own: async (server, user) => {
      const own = await ownWorkflow(server, user);
      await sql`update workflows.workflows set deleted_at = now() where id = ${own.id}`.execute(server.app.db);
      return own;
    },
    expect: ownerOnly(200),
  },
  { route: 'GET /api/workflows/{id}/versions', own: ownWorkflow, expect: ownerOnly(200) },
  { route: 'GET /api/workflows/{id}/runs', own: ownWorkflow, expect: ownerOnly(200) },
  { route: 'POST /api/workflows/runs/{run_id}/retry', own: ownWorkflow, expect: ownerOnly(204) },
  { route: 'POST /api/workflows/preview', body: workflowStep, expect: signedIn },
  { route: 'POST /api/workflows/test', body: workflowStep, expect: signedIn },
  {
    route: 'POST /api/workflows/addresses',
    // codes per address are limited, for every caller
    body: () => ({ address: `${randomUUID()}@example.org` }),
    expect: signedIn,
  },
  {
    route: 'POST /api/workflows/addresses/confirm',
    body: { address: 'else@example.org', code: '000000' },
    expect: { anonymous: 401, user: 400 },
  },
  { route: 'GET /api/event-types', expect: signedIn },
  {
    route: 'POST /api/event-types',
    body: { title: 'Intro', kind: 'one-on-one' },
    expect: { anonymous: 401, user: 201 },
  },
  { route: 'PUT /api/event-types/order', body: { ids: [] }, expect: { anonymous: 401, user: 204 } },
  { route: 'GET /api/event-types/{id}/members', own: ownEventType, expect: ownerOnly(200) },
  { route: 'GET /api/bookings/{booking_id}/takers', own: teamBooking, expect: ownerOnly(200) },
  {
    route: 'POST /api/bookings/{booking_id}/reassign',
    own: teamBooking,
    body: { sequence: 0 },
    expect: ownerOnly(200),
  },
  {
    route: 'GET /api/teams/{team_id}/members/{user_id}/to-come',
    own: async (server, user) => {
      const { teamId, userId } = await insertOwnTeam(server, user);
      return { team_id: teamId, user_id: userId };
    },
    expect: ownerOnly(200),
  },
  {
    route: 'POST /api/teams/{team_id}/hand-over',
    own: poolOfTwo,
    body: ({ userId }) => ({ from: userId }),
    expect: ownerOnly(200),
  },
  { route: 'GET /api/teams/{team_id}/stand-ins', own: poolOfTwo, expect: ownerOnly(200) },
  { route: 'GET /api/teams/{team_id}/conferences', own: poolOfTwo, expect: ownerOnly(200) },
  {
    route: 'POST /api/teams/{team_id}/stand-ins',
    own: poolOfTwo,
    body: ({ userId }) => ({
      to_user_id: userId,
      from: '2099-03-08T09:00:00Z',
      until: '2099-03-09T09:00:00Z',
    }),
    expect: ownerOnly(201),
  },
  {
    route: 'DELETE /api/teams/{team_id}/stand-ins/{stand_in_id}',
    own: poolOfTwo,
    expect: ownerOnly(204),
  },
  { route: 'GET /api/event-types/{id}', own: ownEventType, expect: ownerOnly(200) },
  {
    route: 'PUT /api/event-types/{id}',
    own: ownEventType,
    body: ({ id }) => ({
      version: 1,
      title: 'Intro',
      slug: id,
      description: '',
      hidden: false,
      secret: false,
      settings: defaultSettings('one-on-one'),
    }),
    expect: ownerOnly(200),
  },
  { route: 'PATCH /api/event-types/{id}', own: ownEventType, body: { hidden: true }, expect: ownerOnly(200) },
  { route: 'POST /api/event-types/{id}/duplicate', own: ownEventType, expect: ownerOnly(201) },
  { route: 'DELETE /api/event-types/{id}', own: ownEventType, expect: ownerOnly(204) },
  {
    route: 'POST /api/event-types/{id}/restore',
    own: async (server, user) => {
      const own = await ownEventType(server, user);
      await sql`update booking.event_types set deleted_at = now() where id = ${own.id}`.execute(server.app.db);
      return own;
    },
    expect: ownerOnly(200),
  },
  { route: 'GET /meeting-links', expect: signedIn },
  { route: 'GET /api/booking-links', expect: signedIn },
  {
    route: 'POST /api/booking-links',
    own: ownEventType,
    body: ({ id }) => ({ kind: 'private', event_type_id: id, uses: 1, expires_at: null }),
    expect: ownerOnly(201),
  },
  { route: 'DELETE /api/booking-links/{id}', own: ownLink, expect: ownerOnly(204) },
  {
    route: 'GET /api/book/{handle}/{slug}/series',
    own: ownAddress,
    query: { start: '30000000', times: '1' },
    expect: everybody,
  },
  {
    route: 'POST /api/book/{handle}/{slug}/holds',
    own: ownAddress,
    body: { start: 0 },
    expect: { anonymous: 409, user: 409 },
  },
  {
    route: 'DELETE /api/book/{handle}/{slug}/holds/{hold_id}',
    own: async (server, user) => ({ ...(await ownAddress(server, user)), hold_id: randomUUID() }),
    expect: { anonymous: 204, user: 204 },
  },
  {
    route: 'POST /api/book/{handle}/{slug}/bookings',
    own: ownAddress,
    body: { start: 0, name: 'Bo', email: 'bo@example.net', zone: 'UTC', phone: '+49 30 1234567' },
    expect: { anonymous: 409, user: 409 },
  },
  { route: 'GET /api/booked/{token}', own: ownBooking('confirmed'), expect: everybody },
  {
    route: 'GET /api/booked/{token}/slots',
    own: ownBooking('confirmed'),
    query: { from: '30000000', to: '30001440' },
    expect: everybody,
  },
  {
    // the address of a booking alone proves nothing
    route: 'POST /api/booked/{token}/confirm',
    own: ownBooking('confirmed'),
    body: { proof: 'not-the-secret-of-a-mail' },
    expect: { anonymous: 403, user: 403 },
  },
  { route: 'POST /api/booked/{token}/cancel', own: ownBooking('confirmed'), body: {}, expect: everybody },
  {
    route: 'POST /api/booked/{token}/reschedule',
    own: ownBooking('confirmed'),
    body: { start: 0, sequence: 0 },
    expect: { anonymous: 409, user: 409 },
  },
  { route: 'GET /api/bookings', query: { scope: 'upcoming' }, expect: signedIn },
  { route: 'GET /api/bookings/outside-hours', expect: signedIn },
  { route: 'GET /api/bookings/{booking_id}', own: ownBooking('confirmed'), expect: ownerOnly(200) },
  {
    route: 'GET /api/bookings/{booking_id}/slots',
    own: ownBooking('confirmed'),
    query: { from: '30000000', to: '30001440' },
    expect: ownerOnly(200),
  },
  { route: 'POST /api/bookings/{booking_id}/confirm', own: ownBooking('pending'), body: {}, expect: ownerOnly(200) },
  { route: 'POST /api/bookings/{booking_id}/decline', own: ownBooking('pending'), body: {}, expect: ownerOnly(200) },
  { route: 'POST /api/bookings/{booking_id}/cancel', own: ownBooking('confirmed'), body: {}, expect: ownerOnly(200) },
  {
    route: 'POST /api/bookings/{booking_id}/reschedule',
    own: ownBooking('confirmed'),
    body: { start: fiveDaysMs() / 60_000 + 100 * 1_440, sequence: 0, anyway: true },
    expect: ownerOnly(200),
  },
  { route: 'GET /api/bookings/questions', expect: signedIn },
  {
    route: 'POST /api/bookings/{booking_id}/answer',
    own: askedBooking,
    body: ({ question_id }) => ({ question_id, answer: 'ignore' }),
    expect: ownerOnly(200),
  },
  {
    route: 'POST /api/bookings/{booking_id}/no-show',
    own: ownBooking('confirmed', 0),
    body: { who: 'guest', no_show: true },
    expect: ownerOnly(200),
  },
  {
    route: 'GET /api/book/{handle}/{slug}/slots',
    own: ownAddress,
    query: { from: '30000000', to: '30001440' },
    expect: everybody,
  },
  {
    route: 'GET /api/slots/explain',
    own: ownEventType,
    query: ({ id = '' }) => ({ event_type_id: id, at: '2027-03-08T09:00:00Z' }),
    expect: ownerOnly(200),
  },
];
