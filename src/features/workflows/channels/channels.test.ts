import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BookingId, CredentialId, RunId, StepId, WorkflowId } from '#kernel/ids.ts';
import { takeAllowances } from '#platform/limits.ts';
import {
  type ChannelServices,
  hubspotToken,
  openChannelServices,
  slackAccount,
  twilioAccount,
  webhookUrl,
} from '../../../../test/harness/channel-services.ts';
import { startTestApp, type TestApp } from '../../../../test/harness/test-app.ts';
import { signUpUser, type TestUser } from '../../../../test/harness/test-client.ts';
import type { CrmRecord, PerformedRun, Recipient, RenderedAction, StepOutcome } from '../rules/action.ts';
import { channelEndpoints } from '../rules/channel-endpoints.ts';
import type { NewCredential } from '../rules/credential.ts';
import { fromTemplate } from '../rules/templates.ts';
import { workflowEndpoints } from '../rules/workflow-endpoints.ts';
import { performStep } from '../steps/steps.ts';
import { checkStep } from './channels.ts';
import { isSigned, signWebhook } from './services/webhook.ts';
import { insertConsent } from './store/consents.ts';

/** Text messages, Slack and CRMs against the services themselves, emulated, with what goes wrong on the way. */

let services: ChannelServices;
let server: TestApp;
let user: TestUser;
let other: TestUser;
beforeAll(async () => {
  services = await openChannelServices();
  const { clock, fetch, apiFetch } = services;
  server = await startTestApp({ clock, fetch, apiFetch, role: 'web' });
  services.deliverWith(async ({ url, headers, body }) => {
    const { pathname } = new URL(url);
    const answer = await server.inject({ method: 'POST', url: pathname, headers, payload: body });
    return { status: answer.statusCode, body: answer.body, tookMs: 1 };
  });
});
afterAll(() => server.close());
let people = 0;
beforeEach(async () => {
  people += 1;
  user = await signUpUser(server, `host${people}@example.org`);
  other = await signUpUser(server, `other${people}@example.org`);
  // other tests' messages are nobody's business, and the channel is free again
  services.pass(3_600);
  services.answer = () => ({ status: 204 });
  services.received.length = 0;
  for (const control of [services.twilio, services.slack, services.hubspot]) await control.clearFaults();
});

const twilio = {
  kind: 'twilio',
  account_sid: twilioAccount.sid,
  auth_token: twilioAccount.token,
  sender: twilioAccount.number,
  country: 'DE',
  monthly_cap: 100,
} satisfies NewCredential;
const slackBot = {
  kind: 'slack-bot',
  token: slackAccount.token,
  channel: slackAccount.channel,
} satisfies NewCredential;
const slackHook = { kind: 'slack-webhook', label: 'Sales', url: slackAccount.hook } satisfies NewCredential;
const hubspot = { kind: 'hubspot', token: hubspotToken } satisfies NewCredential;
const crmHook = { kind: 'crm-webhook', label: 'Our CRM', url: webhookUrl } satisfies NewCredential;
const smsHook = {
  kind: 'sms-webhook',
  label: 'Gateway',
  url: webhookUrl,
  country: null,
  monthly_cap: 5,
} satisfies NewCredential;

const api = (person = user) => person.as(channelEndpoints);
const connect = async (body: NewCredential) => (await api().connectCredential({ body })).credential;
const listed = async (id: string) => (await api().listCredentials({})).credentials.find((one) => one.id === id);

const newRun = (more: Partial<PerformedRun> = {}): PerformedRun => {
  const id = randomUUID() as RunId;
  return {
    id,
    key: id,
    userId: user.userId,
    teamId: null,
    workflowId: randomUUID() as WorkflowId,
    stepId: randomUUID() as StepId,
    booking: null,
    subject: id,
    attempt: 1,
    isTest: false,
    ...more,
  };
};
const perform = (rendered: RenderedAction, run = newRun()): Promise<StepOutcome> =>
  performStep(server.app, run, rendered);

/** A number that nobody else in this file has. */
let numbers = 0;
const newNumber = () => {
  numbers += 1;
  return `+4915112${String(345_000 + numbers)}`;
};
const to = (address: string, role: Recipient['role'] = 'other'): Recipient => ({
  role,
  address,
  locale: 'en',
  zone: 'UTC',
  isProved: true,
});
const messagesTo = async (phone: string) =>
  (await services.twilio.snapshot()).messages.filter((one) => one.to === phone && one.direction === 'outbound-api');
const postsWith = async (text: string) => (await services.slack.snapshot()).messages.filter((one) => one.text === text);

describe('workflow credentials', () => {
  it.each([
    ['Twilio', twilio, 'My project', twilioAccount.number],
    ['a bot of Slack', slackBot, 'Acme', slackAccount.channel],
    ['a webhook of Slack', slackHook, 'Sales', 'hooks.slack.com'],
    ['HubSpot', hubspot, 'HubSpot 7', '7'],
    ['a CRM of one’s own', crmHook, 'Our CRM', 'crm.example.org'],
  ])('workflow credentials for %s are tested, stored encrypted and never shown', async (_, body, label, detail) => {
    const credential = await connect(body);
    expect(credential).toMatchObject({ label, detail, refused: null });
    const everything = JSON.stringify(await api().listCredentials({}));
    for (const secret of [twilioAccount.token, slackAccount.token, hubspotToken, 'B0HOOK', 'hidden']) {
      expect(everything).not.toContain(secret);
    }
    const { rows } = await sql<{
      secret: string;
    }>`select secret from workflows.credentials where id = ${credential.id}`.execute(server.app.db);
    expect(rows[0]?.secret).toMatch(/^v1\.test\./);
  });

  it.each([
    ['a wrong auth token', { ...twilio, auth_token: 'wrong' }, 'SERVICE_REFUSED', 'auth token'],
    ['a number of somebody else', { ...twilio, sender: '+14155550199' }, 'SERVICE_REFUSED', "isn't a number of this"],
    ['a wrong bot token', { ...slackBot, token: 'xoxb-wrong' }, 'SERVICE_REFUSED', 'invalid_auth'],
    ['a webhook that is gone', { ...slackHook, url: `${slackAccount.hook}x` }, 'SERVICE_REFUSED', 'no_service'],
    ['a webhook elsewhere', { ...slackHook, url: 'https://example.org/x' }, 'BAD_ADDRESS', 'hooks.slack.com'],
    ['a wrong private app', { ...hubspot, token: 'wrong' }, 'SERVICE_REFUSED', 'token'],
    ['an address of this network', { ...crmHook, url: 'https://10.0.0.1/' }, 'SERVICE_UNREACHABLE', 'No response'],
  ])('workflow credentials with %s are refused and not stored', async (_, body, code, words) => {
    await expect(connect(body)).rejects.toMatchObject({ code, message: expect.stringContaining(words) });
    expect((await api().listCredentials({})).credentials).toEqual([]);
  });

  it('SSRF: a workflow webhook URL with a password or a protocol other than HTTPS is refused', async () => {
    for (const url of [
      'http://crm.example.org/',
      'file:///etc/passwd',
      'https://',
      'javascript:alert(1)',
      'https://a:b@crm.example.org/',
    ]) {
      const answer = await server.inject({
        method: 'POST',
        url: '/api/workflows/credentials',
        headers: { authorization: `Bearer ${user.token}` },
        payload: { ...crmHook, url },
      });
      expect(answer.statusCode).toBe(400);
    }
  });

  it('workflow credentials of another user cannot be seen, tested, removed or used', async () => {
    const { id } = await connect(slackBot);
    expect((await api(other).listCredentials({})).credentials).toEqual([]);
    const params = { credential_id: id };
    await expect(api(other).testCredential({ params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(api(other).disconnectCredential({ params })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const action = { kind: 'notify-slack', credential_id: id, channel: null, body: 'x' } as const;
    expect(await checkStep(server.app, { userId: other.userId, teamId: null }, action)).toContain('Connect Slack');
    expect(await checkStep(server.app, { userId: user.userId, teamId: null }, action)).toBeNull();
    const rendered = { kind: 'notify-slack', credentialId: id, channel: null, body: 'x' } as const;
    expect(await perform(rendered, newRun({ userId: other.userId }))).toMatchObject({ reason: 'no-credential' });
  });

  it('workflow credentials refused by their service show it until a test succeeds', async () => {
    const { id } = await connect(hubspot);
    await services.hubspot.addFaults({ name: 'refused' });
    await expect(api().testCredential({ params: { credential_id: id } })).rejects.toMatchObject({
      code: 'SERVICE_REFUSED',
    });
    expect((await listed(id))?.refused).toContain('Connect HubSpot again');
    await api().testCredential({ params: { credential_id: id } });
    expect((await listed(id))?.refused).toBeNull();
  });

  it('removed workflow credentials leave no deliveries, and a deleted user leaves neither credentials nor consents', async () => {
    const { id } = await connect(slackBot);
    const run = newRun();
    const rendered = { kind: 'notify-slack', credentialId: id, channel: null, body: 'Gone' } as const;
    await perform(rendered, run);
    await api().disconnectCredential({ params: { credential_id: id } });
    const left = await sql`select 1 from workflows.deliveries where credential_id = ${id}`.execute(server.app.db);
    expect(left.rows).toEqual([]);
    expect(await perform(rendered)).toMatchObject({ reason: 'no-credential', permanent: true });
    await connect(slackBot);
    await api().keepNumber({ body: { phone: newNumber(), given: true } });
    await sql`delete from accounts.users where id = ${user.userId}`.execute(server.app.db);
    const { rows } = await sql`select 1 from workflows.credentials where user_id = ${user.userId}
      union all select 1 from workflows.consents where user_id = ${user.userId}`.execute(server.app.db);
    expect(rows).toEqual([]);
  });
});

describe('text messages', () => {
  let id: CredentialId;
  let phone: string;
  const sms = (body = 'Soon', address = phone, role: Recipient['role'] = 'other'): RenderedAction => ({
    kind: 'send-sms',
    credentialId: id,
    to: to(address, role),
    body,
  });
  beforeEach(async () => {
    ({ id } = await connect(twilio));
    phone = newNumber();
    await api().keepNumber({ body: { phone, given: true } });
  });

  it('a text message is sent once per run, however often it is performed', async () => {
    const run = newRun();
    const first = await perform(sms(), run);
    expect([first, await perform(sms(), run)]).toEqual([first, first]);
    expect(await messagesTo(phone)).toMatchObject([{ body: 'Soon', from: twilioAccount.number }]);
    expect((await listed(id))?.month).toEqual({ used: 1, cap: 100 });
  });

  it('a phone number without a country code is read with the configured country', async () => {
    expect(await perform(sms('Soon', phone.replace('+49', '0')))).toMatchObject({ outcome: 'done' });
    expect(await perform(sms('Soon', '12'))).toEqual({ outcome: 'refused', reason: 'bad-number', permanent: true });
  });

  it('a text message is sent only with consent or to the host', async () => {
    const stranger = newNumber();
    expect(await perform(sms('Soon', stranger))).toEqual({ outcome: 'refused', reason: 'no-consent', permanent: true });
    expect(await messagesTo(stranger)).toEqual([]);
    // a host's own number, from their profile
    expect(await perform(sms('Soon', stranger, 'host'))).toMatchObject({ outcome: 'done' });
  });

  it('an inbound STOP ends text messages and START resumes them, by signed requests only', async () => {
    const inbound = (await listed(id))?.inbound_url as string;
    const smsUrl = inbound;
    await services.twilio.seed({
      sid: twilioAccount.sid,
      authToken: twilioAccount.token,
      numbers: [{ number: twilioAccount.number, smsUrl }],
    });
    const write = async (body: string) => {
      await services.twilio.act({
        account: twilioAccount.sid,
        do: 'write',
        from: phone,
        to: twilioAccount.number,
        body,
      });
      await services.twilio.deliver({ do: 'pump' });
      services.pass(1);
    };
    await write('Stop.');
    expect(await perform(sms())).toEqual({ outcome: 'refused', reason: 'opted-out', permanent: true });
    await expect(api().keepNumber({ body: { phone, given: true } })).rejects.toMatchObject({ code: 'OPTED_OUT' });
    await write('HELP');
    expect(await perform(sms())).toMatchObject({ reason: 'opted-out' });
    await write('START');
    expect(await perform(sms())).toMatchObject({ outcome: 'done' });
    const { numbers: told } = await api().listNumbers({});
    expect(told).toMatchObject([{ phone, given: true, source: 'message' }]);
    const forged = { From: phone, Body: 'STOP', MessageSid: 'SM1' };
    const path = new URL(inbound).pathname;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': 'forged' };
    const payload = new URLSearchParams(forged).toString();
    expect((await server.inject({ method: 'POST', url: path, headers, payload })).statusCode).toBe(403);
    const unknown = path.replace(id, randomUUID());
    expect((await server.inject({ method: 'POST', url: unknown, headers, payload })).statusCode).toBe(404);
    expect(await perform(sms())).toMatchObject({ outcome: 'done' });
  });

  it.each([
    ['21211', 'bad-number'],
    ['21614', 'no-mobile-number'],
    ['21610', 'opted-out'],
  ])('a text message refused by Twilio with %s fails permanently and is not counted', async (name, reason) => {
    await services.twilio.addFaults({ name });
    expect(await perform(sms())).toEqual({ outcome: 'refused', reason, permanent: true });
    expect((await listed(id))?.month?.used).toBe(0);
    services.pass(1);
    const after = await perform(sms());
    // a number that is unsubscribed there is unsubscribed here
    expect(after).toMatchObject(name === '21610' ? { reason: 'opted-out' } : { outcome: 'done' });
  });

  it('a rate-limited text message waits for Retry-After and is then sent', async () => {
    const run = newRun();
    await services.twilio.addFaults({ name: 'too-many', variant: 'told' });
    expect(await perform(sms(), run)).toEqual({
      outcome: 'refused',
      reason: 'rate-limited',
      permanent: false,
      retryAfterMs: 7_000,
    });
    expect(await perform(sms(), run)).toMatchObject({ outcome: 'done' });
  });

  it('a text message with a lost response is found at Twilio and not sent twice', async () => {
    const run = newRun();
    await services.twilio.addFaults({ name: 'lost-answer' });
    expect(await perform(sms(), run)).toMatchObject({ reason: 'no-answer', permanent: false });
    // too early to tell: it may still be on its way
    expect(await perform(sms(), run)).toMatchObject({ reason: 'no-answer', retryAfterMs: 30_000 });
    services.pass(31);
    await services.twilio.addFaults({ name: 'broken', op: 'messages.list' });
    expect(await perform(sms(), run)).toMatchObject({ reason: 'no-answer', permanent: false });
    expect(await perform(sms(), run)).toMatchObject({ outcome: 'done' });
    expect(await messagesTo(phone)).toHaveLength(1);
  });

  it('a text message that never reached Twilio is sent, despite a similar message of another run', async () => {
    const run = newRun();
    await services.twilio.addFaults({ name: 'unreachable', op: 'messages.create' });
    expect(await perform(sms(), run)).toMatchObject({ reason: 'no-answer' });
    expect(await perform(sms())).toMatchObject({ outcome: 'done' });
    services.pass(31);
    expect(await perform(sms(), run)).toMatchObject({ outcome: 'done' });
    expect(await messagesTo(phone)).toHaveLength(2);
  });

  it('two concurrent workers send a text message once', async () => {
    const run = newRun();
    const both = await Promise.all([perform(sms(), run), perform(sms(), run)]);
    // the second is put off, or comes when the first is done
    expect(both.map(({ outcome }) => outcome)).toContain('done');
    expect(await messagesTo(phone)).toHaveLength(1);
  });

  it('a suspended Twilio account is shown with the credentials until it works again', async () => {
    await services.twilio.addFaults({ name: 'refused', variant: 'suspended' });
    expect(await perform(sms())).toMatchObject({ reason: 'account-refused', permanent: true });
    expect((await listed(id))?.refused).toContain('suspended');
    expect(await perform(sms())).toMatchObject({ outcome: 'done' });
    expect((await listed(id))?.refused).toBeNull();
  });

  it('the monthly cap on text messages holds against concurrent sends and resets next month', async () => {
    const { id: capped } = await connect({ ...twilio, monthly_cap: 2 });
    const rendered = { ...sms(), credentialId: capped } as RenderedAction;
    const all = await Promise.all(Array.from({ length: 5 }, () => perform(rendered)));
    expect(all.filter(({ outcome }) => outcome === 'done')).toHaveLength(2);
    expect(all.filter((one) => one.outcome === 'refused' && one.reason === 'monthly-cap')).toHaveLength(3);
    services.clock.set('2027-04-01T00:00:00Z');
    expect(await perform(rendered)).toMatchObject({ outcome: 'done' });
  });

  it("a guest's consent in the booking form allows text messages and is recorded with its source", async () => {
    const guest = newNumber();
    const booking = { id: randomUUID() as BookingId, sequence: 0 };
    await insertBooking(booking.id, { 'text-messages': true });
    expect(await perform(sms('Soon', guest, 'guest'), newRun({ booking }))).toMatchObject({ outcome: 'done' });
    const { numbers: told } = await api().listNumbers({});
    expect(told.find((one) => one.phone === guest)).toMatchObject({ given: true, source: 'booking' });
    const unticked = { id: randomUUID() as BookingId, sequence: 0 };
    await insertBooking(unticked.id, {});
    expect(await perform(sms('Soon', newNumber(), 'guest'), newRun({ booking: unticked }))).toMatchObject({
      reason: 'no-consent',
    });
  });

  it('after STOP, a box that somebody ticks while booking with the number is no consent', async () => {
    const guest = newNumber();
    const bookings = [randomUUID(), randomUUID()].map((made) => ({ id: made as BookingId, sequence: 0 }));
    const send = (booking: (typeof bookings)[number] | undefined) =>
      perform(sms('Soon', guest, 'guest'), newRun({ booking: booking ?? null }));
    await insertBooking(bookings[0]?.id as BookingId, { 'text-messages': true });
    expect(await send(bookings[0])).toMatchObject({ outcome: 'done' });
    const now = services.clock.nowMs() + 1_000;
    await insertConsent(server.app.db, user.userId, {
      phone: guest,
      given: false,
      source: 'message',
      sourceId: 'SM2',
      atMs: now,
    });
    await insertBooking(bookings[1]?.id as BookingId, { 'text-messages': true });
    await sql`update booking.bookings set created_ms = ${now + 60_000} where id = ${bookings[1]?.id}`.execute(
      server.app.db,
    );
    expect(await send(bookings[1])).toEqual({ outcome: 'refused', reason: 'opted-out', permanent: true });
  });

  it('a number that a guest entered gets five text messages a day of one host, and 20 of all hosts', async () => {
    const guest = newNumber();
    const booking = { id: randomUUID() as BookingId, sequence: 0 };
    await insertBooking(booking.id, { 'text-messages': true });
    const send = () => perform(sms('Soon', guest, 'guest'), newRun({ booking }));
    const tooMany = { outcome: 'refused', reason: 'too-many-to-number', permanent: true };
    const run = newRun({ booking });
    expect(await perform(sms('Soon', guest, 'guest'), run)).toMatchObject({ outcome: 'done' });
    for (let n = 1; n < 5; n += 1) expect(await send()).toMatchObject({ outcome: 'done' });
    expect(await send()).toEqual(tooMany);
    // a repetition of one that was sent is none
    expect(await perform(sms('Soon', guest, 'guest'), run)).toMatchObject({ outcome: 'done' });
    expect(await messagesTo(guest)).toHaveLength(5);
    expect((await listed(id))?.month?.used).toBe(5);
    // other hosts have used up the day of another number
    const other = newNumber();
    const perNumber = { action: 'text messages per number', burst: 20, periodSeconds: 86_400 };
    for (let n = 0; n < 20; n += 1) await takeAllowances(server.app.db, perNumber, [other]);
    expect(await perform(sms('Soon', other, 'guest'), newRun({ booking }))).toEqual(tooMany);
  });

  it('a delivery status from Twilio appears in the run log', async () => {
    await services.twilio.knobs({ undelivered: { [phone]: 30003 } });
    const run = newRun();
    await perform(sms(), run);
    const [message] = await messagesTo(phone);
    // a public server is told where; this one is not, so the call is made by hand
    const path = `/hooks/twilio/${id}/status`;
    const { signTwilio } = await import('./services/twilio.ts');
    const form = { MessageSid: message!.sid, MessageStatus: 'undelivered', ErrorCode: '30003' };
    const signature = signTwilio(twilioAccount.token, `http://localhost${path}`, Object.entries(form));
    const answer = await server.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature },
      payload: new URLSearchParams(form).toString(),
    });
    expect(answer.statusCode).toBe(200);
    const { rows } = await sql`select status, error_code from workflows.deliveries where run_key = ${run.key}`.execute(
      server.app.db,
    );
    expect(rows).toEqual([{ status: 'undelivered', error_code: 30003 }]);
    // and the run's log tells it
    const { workflowId } = run;
    await sql`insert into workflows.workflows (id, user_id, name, active, version, trigger)
      values (${workflowId}, ${user.userId}, 'Reminder', true, 1, 'before-event')`.execute(server.app.db);
    await sql`insert into workflows.versions (workflow_id, n, definition, created_ms)
      values (${workflowId}, 1, ${JSON.stringify(fromTemplate('reminder', run.stepId))}::jsonb, 0)`.execute(
      server.app.db,
    );
    await sql`insert into workflows.runs (id, workflow_id, user_id, step_id, version, position, kind, subject, occurrence,
        state, due_ms, created_ms, settled_ms)
      values (${run.id}, ${workflowId}, ${user.userId}, ${run.stepId}, 1, 0, 'send-sms', 'form', 0, 'done', 0, 0, 0)`.execute(
      server.app.db,
    );
    const log = user.as(workflowEndpoints).listWorkflowRuns;
    const { runs } = await log({ params: { id: workflowId }, query: {} });
    expect(runs).toMatchObject([{ id: run.id, delivery: { status: 'undelivered', error_code: 30003 } }]);
  });

  it('a text message through a custom gateway is signed and keeps one id across retries', async () => {
    const { credential, signing_secret: secret } = await api().connectCredential({ body: smsHook });
    const rendered = { ...sms(), credentialId: credential.id } as RenderedAction;
    const run = newRun();
    services.answer = () => ({ status: 503 });
    expect(await perform(rendered, run)).toMatchObject({ reason: 'no-answer' });
    services.pass(31);
    services.answer = () => ({ status: 200 });
    expect(await perform(rendered, run)).toEqual({ outcome: 'done', reference: run.key });
    const calls = services.received.filter(({ body }) => body.includes('sms.send'));
    expect(calls.map(({ headers }) => headers['webhook-id'])).toEqual([run.key, run.key]);
    const last = calls.at(-1)!;
    expect(isSigned(secret!, last.headers, last.body, services.clock.nowMs())).toBe(true);
    expect(JSON.parse(last.body)).toMatchObject({ type: 'sms.send', data: { to: phone, body: 'Soon', test: false } });
    const stop = (atMs: number, signing: string) => {
      const body = JSON.stringify({ from: phone, body: 'STOP' });
      const headers = { 'content-type': 'application/json', ...signWebhook(signing, { id: 'm1', atMs, body }) };
      return server.inject({ method: 'POST', url: `/hooks/sms/${credential.id}`, headers, payload: body });
    };
    const nowMs = services.clock.nowMs();
    expect((await stop(nowMs, `whsec_${'A'.repeat(44)}`)).statusCode).toBe(403);
    expect((await stop(nowMs - 400_000, secret!)).statusCode).toBe(403);
    expect((await stop(nowMs, secret!)).statusCode).toBe(204);
    expect(await perform(rendered)).toMatchObject({ reason: 'opted-out' });
  });
});

describe('Slack messages', () => {
  const message = (credentialId: CredentialId, body: string, channel: string | null = null): RenderedAction => ({
    kind: 'notify-slack',
    credentialId,
    channel,
    body,
  });

  it.each([
    ['bot', slackBot],
    ['webhook', slackHook],
  ])('a Slack message by %s escapes mentions in what people typed', async (_, body) => {
    const { id } = await connect(body);
    services.pass(2);
    expect(await perform(message(id, `<!channel> ${people} & more`))).toMatchObject({ outcome: 'done' });
    expect(await postsWith(`&lt;!channel&gt; ${people} &amp; more`)).toHaveLength(1);
  });

  it('a Slack bot message with a lost response is found by its run and not posted twice', async () => {
    const { id } = await connect(slackBot);
    const run = newRun();
    await services.slack.addFaults({ name: 'lost-answer' });
    expect(await perform(message(id, 'Lost'), run)).toMatchObject({ reason: 'no-answer', permanent: false });
    services.pass(31);
    expect(await perform(message(id, 'Lost'), run)).toMatchObject({ outcome: 'done' });
    expect(await postsWith('Lost')).toHaveLength(1);
  });

  it('a Slack bot message that was never posted is posted later', async () => {
    const { id } = await connect(slackBot);
    const run = newRun();
    await services.slack.addFaults({ name: 'unreachable' });
    expect(await perform(message(id, 'Late'), run)).toMatchObject({ reason: 'no-answer' });
    services.pass(31);
    expect(await perform(message(id, 'Late'), run)).toMatchObject({ outcome: 'done' });
    expect(await postsWith('Late')).toHaveLength(1);
  });

  it('a Slack webhook message with a lost response is given up and not posted twice', async () => {
    const { id } = await connect(slackHook);
    services.pass(2);
    const run = newRun();
    await services.slack.addFaults({ name: 'lost-answer' });
    expect(await perform(message(id, 'Once'), run)).toMatchObject({ reason: 'no-answer' });
    services.pass(31);
    expect(await perform(message(id, 'Once'), run)).toEqual({
      outcome: 'refused',
      reason: 'unknown-outcome',
      permanent: true,
    });
    expect(await postsWith('Once')).toHaveLength(1);
  });

  it.each([
    ['ratelimited', { reason: 'rate-limited', permanent: false, retryAfterMs: 30_000 }],
    ['channel_not_found', { reason: 'channel-not-found', permanent: true }],
    ['invalid_auth', { reason: 'invalid-auth', permanent: true }],
    ['fatal_error', { reason: 'fatal-error', permanent: false, retryAfterMs: 30_000 }],
  ])('a Slack bot error %s refuses the step with its reason', async (name, expected) => {
    const { id } = await connect(slackBot);
    await services.slack.addFaults({ name });
    expect(await perform(message(id, 'x'))).toEqual({ outcome: 'refused', ...expected });
    expect((await listed(id))?.refused !== null).toBe(name === 'invalid_auth');
  });

  it('a Slack bot outside the channel refuses the step as not in channel', async () => {
    const { id } = await connect(slackBot);
    expect(await perform(message(id, 'x', 'C0CLOSED'))).toMatchObject({ reason: 'not-in-channel', permanent: true });
  });

  it.each([
    ['rate_limited', { reason: 'rate-limited', permanent: false, retryAfterMs: 30_000 }],
    ['action_prohibited', { reason: 'action-prohibited', permanent: true }],
  ])('a Slack webhook error %s refuses the step with its reason', async (name, expected) => {
    const { id } = await connect(slackHook);
    services.pass(2);
    await services.slack.addFaults({ name });
    expect(await perform(message(id, 'x'))).toEqual({ outcome: 'refused', ...expected });
  });
});

describe('CRM', () => {
  const record = (more: Partial<CrmRecord> = {}): CrmRecord => ({
    externalId: `uid-${people}`,
    sequence: 0,
    state: 'confirmed',
    noShow: false,
    contact: { email: `ada${people}@example.com`, name: 'Ada King Lovelace', phone: null },
    activity: {
      title: 'Intro',
      startMs: Date.UTC(2027, 2, 9, 9),
      endMs: Date.UTC(2027, 2, 9, 10),
      host: 'Anna',
      location: 'Video',
      url: 'https://example.org/b/1',
    },
    ...more,
  });
  const push = (credentialId: CredentialId, pushed: CrmRecord, run = newRun()) =>
    perform({ kind: 'push-to-crm', credentialId, record: pushed }, run);
  const ours = async () => {
    const portal = (await services.hubspot.snapshot())[7]!;
    const meetings = portal.meetings.filter(({ properties }) => properties.holdfast_booking_uid === `uid-${people}`);
    const contacts = portal.contacts.filter(({ properties }) => properties.email === `ada${people}@example.com`);
    return { meetings, contacts, associations: portal.associations };
  };

  it('a booking creates one HubSpot contact and meeting, updated with the booking', async () => {
    const { id } = await connect(hubspot);
    expect(await push(id, record())).toMatchObject({ outcome: 'done' });
    expect(await push(id, record({ sequence: 1, state: 'cancelled' }))).toMatchObject({ outcome: 'done' });
    const { meetings, contacts, associations } = await ours();
    expect(contacts).toMatchObject([{ properties: { firstname: 'Ada', lastname: 'King Lovelace' } }]);
    expect(meetings).toMatchObject([
      {
        properties: { hs_meeting_outcome: 'CANCELED', hs_timestamp: '2027-03-09T09:00:00Z', hs_meeting_title: 'Intro' },
      },
    ]);
    expect(associations).toContain(`${meetings[0]!.id} ${contacts[0]!.id}`);
  });

  it('an older booking state never overwrites a newer one in HubSpot', async () => {
    const { id } = await connect(hubspot);
    await push(id, record({ sequence: 2, state: 'cancelled' }));
    expect(await push(id, record({ sequence: 1 }))).toEqual({
      outcome: 'refused',
      reason: 'overtaken',
      permanent: true,
    });
    expect((await ours()).meetings).toMatchObject([{ properties: { hs_meeting_outcome: 'CANCELED' } }]);
  });

  it('a HubSpot request with a lost response creates contact and meeting once', async () => {
    const { id } = await connect(hubspot);
    for (const op of ['objects.upsert', 'associations.create']) {
      const run = newRun();
      await services.hubspot.addFaults({ name: 'lost-answer', op });
      expect(await push(id, record(), run)).toMatchObject({ reason: 'no-answer', permanent: false });
      services.pass(31);
      expect(await push(id, record(), run)).toMatchObject({ outcome: 'done' });
    }
    const { meetings, contacts } = await ours();
    expect([meetings.length, contacts.length]).toEqual([1, 1]);
  });

  it.each([
    ['too-many', undefined, { reason: 'rate-limited', permanent: false, retryAfterMs: 10_000 }],
    ['too-many', 'daily', { reason: 'daily-limit', permanent: false, retryAfterMs: 3_600_000 }],
    ['conflict', undefined, { reason: 'conflict', permanent: false, retryAfterMs: 2_000 }],
    ['refused', undefined, { reason: 'account-refused', permanent: true }],
    ['refused', 'scopes', { reason: 'scope-missing', permanent: true }],
    ['broken', undefined, { reason: 'no-answer', permanent: false, retryAfterMs: 30_000 }],
  ])('a HubSpot failure %s %s refuses the step with its reason', async (name, variant, expected) => {
    const { id } = await connect(hubspot);
    await services.hubspot.addFaults({ name, ...(variant && { variant }) });
    expect(await push(id, record())).toEqual({ outcome: 'refused', ...expected });
  });

  it('a CRM webhook receives the full signed booking, and its refusals are classified', async () => {
    const { credential, signing_secret: secret } = await api().connectCredential({ body: crmHook });
    const run = newRun();
    expect(await push(credential.id, record(), run)).toEqual({ outcome: 'done', reference: run.key });
    const { headers, body } = services.received.at(-1)!;
    expect(isSigned(secret!, headers, body, services.clock.nowMs())).toBe(true);
    expect(JSON.parse(body)).toMatchObject({
      type: 'booking.upsert',
      data: {
        external_id: `uid-${people}`,
        sequence: 0,
        state: 'confirmed',
        contact: { email: `ada${people}@example.com` },
        activity: { title: 'Intro', starts_at: '2027-03-09T09:00:00Z', ends_at: '2027-03-09T10:00:00Z' },
      },
    });
    services.answer = () => ({ status: 429, headers: { 'retry-after': 'Tue, 09 Mar 2027 00:00:00 GMT' } });
    expect(await push(credential.id, record({ sequence: 1 }))).toMatchObject({
      reason: 'rate-limited',
      permanent: false,
    });
    services.answer = () => ({ status: 410 });
    expect(await push(credential.id, record({ sequence: 1 }))).toMatchObject({ reason: 'answer-410', permanent: true });
    expect((await listed(credential.id))?.refused).toContain('410');
    services.answer = () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } });
    expect(await push(credential.id, record({ sequence: 1 }))).toMatchObject({ reason: 'redirected', permanent: true });
  });
});

/** A booking with a guest's answers only. */
async function insertBooking(id: BookingId, answers: object): Promise<void> {
  const appointmentId = randomUUID();
  const nowMs = services.clock.nowMs();
  await sql`
    insert into booking.appointments (id, user_id, host_ids, title, start_ms, end_ms, buffer_before_ms, buffer_after_ms,
      seats, location, event_key)
    values (${appointmentId}, ${user.userId}, array[${user.userId}]::uuid[], 'Intro', ${nowMs}, ${nowMs + 60_000}, 0, 0, 1,
      '{"kind": "teams"}', ${appointmentId})`.execute(server.app.db);
  await sql`
    insert into booking.bookings (id, uid, appointment_id, seat, user_id, state, token_hash, guest_name, guest_email,
      answers, created_ms)
    values (${id}, ${id}, ${appointmentId}, 1, ${user.userId}, 'confirmed', ${Buffer.from(id)}, 'Gus', 'gus@example.com',
      ${JSON.stringify(answers)}, ${nowMs})`.execute(server.app.db);
}
