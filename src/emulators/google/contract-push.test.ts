import { beforeEach, describe, expect, it } from 'vitest';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import type { Call } from '../kit/exchange.ts';

/** Google's documented push, quotas and batches, each row with its source. */

type Google = ReturnType<typeof emulateGoogle>;
type Api = Awaited<ReturnType<Google['signIn']>>['api'];

let google: Google;
let api: Api;
let heard: Call[];
let answers: number[];
const ADA = 'ada@example.com';
const HOOK = 'https://holdfast.example/push/google';

beforeEach(async () => {
  google = emulateGoogle();
  heard = [];
  answers = [];
  google.google.emulator.deliveries.sendWith(async (call) => {
    heard.push(call);
    return { status: answers.shift() ?? 200, body: '', headers: {}, tookMs: 0 };
  });
  await google.control.seed({
    account: ADA,
    timeZone: 'Europe/Berlin',
    calendars: [{ id: 'holidays', canPush: false }],
  });
  api = (await google.signIn(ADA)).api;
});

interface Channel {
  id: string;
  resourceId: string;
  expiration: string;
}
const EVENTS = '/calendars/primary/events';
const SINGLE = { summary: 'Talk', start: { date: '2027-03-08' }, end: { date: '2027-03-09' } };
const watch = (id: string, more: object = {}, path = EVENTS) =>
  api<Channel>('POST', `${path}/watch`, { id, type: 'web_hook', address: HOOK, token: 'secret', ...more });
const insert = () => api<{ id: string }>('POST', EVENTS, SINGLE);
const pump = () => google.control.deliver({ do: 'pump' });
const states = () => heard.map(({ headers }) => headers['x-goog-resource-state']);

describe('channels (Push notifications)', () => {
  it('a watch request answers with the channel resource', async () => {
    const { status, body } = await watch('channel-1', { params: { ttl: '3600' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      kind: 'api#channel',
      id: 'channel-1',
      resourceId: expect.stringMatching(/^[\w-]{27}$/),
      resourceUri: 'https://www.googleapis.com/calendar/v3/calendars/ada%40example.com/events?alt=json',
      token: 'secret',
      expiration: String(google.clock.now() + 3_600_000),
    });
  });

  it('a new channel sends a sync message with number 1', async () => {
    await watch('channel-1');
    await pump();
    expect(heard).toMatchObject([
      {
        method: 'POST',
        url: HOOK,
        body: '',
        headers: { 'x-goog-resource-state': 'sync', 'x-goog-message-number': '1' },
      },
    ]);
  });

  it('the sync message can arrive before the watch response', async () => {
    await google.control.knobs({ syncBeforeAnswer: true });
    const answered = watch('channel-1').then(() => heard.length);
    expect(await answered).toBe(1);
    expect(states()).toEqual(['sync']);
  });

  it("a channel reports every change, including the client's own, with rising numbers and in headers only", async () => {
    const { body: channel } = await watch('channel-1');
    const { id } = (await insert()).body;
    await api('DELETE', `${EVENTS}/${id}`);
    await google.control.act({ account: ADA, do: 'create', event: { start: '2027-03-08', summary: 'by hand' } });
    await pump();
    expect(states()).toEqual(['sync', 'exists', 'exists', 'exists']);
    const numbers = heard.map(({ headers }) => Number(headers['x-goog-message-number']));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(numbers.at(-1)).toBeGreaterThan(4);
    expect(heard.at(-1)!.headers).toMatchObject({
      'x-goog-channel-id': 'channel-1',
      'x-goog-channel-token': 'secret',
      'x-goog-resource-id': channel.resourceId,
      'x-goog-resource-uri': expect.stringContaining('/calendar/v3/calendars/'),
      'x-goog-channel-expiration': 'Mon, 11 Jan 2027 12:00:00 GMT',
    });
  });

  it('a channel on the calendar list reports changes to it (CalendarList: watch)', async () => {
    await watch('list-1', {}, '/users/me/calendarList');
    await google.control.act({ account: ADA, calendar: 'holidays', do: 'set-role', role: 'reader' });
    await pump();
    expect(states()).toEqual(['sync', 'exists']);
  });

  it.each([
    ['a used id', { id: 'used' }, 'channelIdNotUnique'],
    ['an id that is too long', { id: 'x'.repeat(65) }, 'channelIdInvalid'],
    ['a plain address', { address: 'http://holdfast.example/push' }, 'push.webhookUrlNotHttps'],
    ['another type', { type: 'mail' }, 'invalid'],
    ['a token that is too long', { token: 'x'.repeat(257) }, 'invalid'],
    ['an end in the past', { expiration: 1 }, 'invalid'],
  ])('a watch request with %s is refused', async (_, more, reason) => {
    await watch('used');
    expect(await watch('new', more)).toMatchObject({ status: 400, reason });
  });

  it('a watch request for a holiday calendar is refused (pushNotSupportedForRequestedResource)', async () => {
    const answer = await watch('channel-1', {}, '/calendars/holidays/events');
    expect(answer).toMatchObject({ status: 400, reason: 'pushNotSupportedForRequestedResource' });
  });

  it('a channel lives as long as the shorter of request and limit, and is never renewed', async () => {
    const lives = async (id: string, more: object) =>
      Number((await watch(id, more)).body.expiration) - google.clock.now();
    expect(await lives('a', {})).toBe(604_800_000);
    expect(await lives('b', { params: { ttl: '99999999' } })).toBe(604_800_000);
    expect(await lives('c', { expiration: google.clock.now() + 60_000 })).toBe(60_000);
    google.clock.advance(60_000);
    await insert();
    await pump();
    expect(heard.filter(({ headers }) => headers['x-goog-resource-state'] === 'exists')).toHaveLength(2);
  });

  it('a channel is stopped once, by its id and resource id (Channels: stop)', async () => {
    const { resourceId } = (await watch('channel-1')).body;
    const stop = (body: object) => api('POST', '/channels/stop', body);
    expect((await stop({ id: 'channel-1', resourceId: 'other' })).status).toBe(404);
    expect((await stop({ id: 'channel-1', resourceId })).status).toBe(204);
    expect((await stop({ id: 'channel-1', resourceId })).status).toBe(404);
    await insert();
    await pump();
    expect(states()).toEqual(['sync']);
  });

  it('a channel can be stopped only by the user who opened it', async () => {
    const { resourceId } = (await watch('channel-1')).body;
    await google.control.seed({ account: 'bob@example.com' });
    ({ api } = await google.signIn('bob@example.com'));
    expect((await api('POST', '/channels/stop', { id: 'channel-1', resourceId })).status).toBe(404);
  });

  it('a notification is retried with backoff after 500 and 503, and lost after 404', async () => {
    await watch('channel-1');
    answers = [503, 500, 404];
    await pump();
    await pump();
    expect(heard).toHaveLength(1);
    google.clock.advance(1_000);
    await pump();
    google.clock.advance(2_000);
    await pump();
    google.clock.advance(600_000);
    await pump();
    expect(heard).toHaveLength(3);
    expect((await google.control.deliveries()).list).toMatchObject([{ state: 'failed', status: 404 }]);
  });
});

describe('quotas (Manage quotas)', () => {
  it.each([
    ['403 rateLimitExceeded', 403, 'rateLimitExceeded'],
    ['403 userRateLimitExceeded', 403, 'userRateLimitExceeded'],
    ['429 rateLimitExceeded', 429, 'rateLimitExceeded'],
  ] as const)('a request over the sliding-minute quota is refused as %s', async (rateLimitStyle, status, reason) => {
    await google.control.knobs({ perMinutePerUser: 3, rateLimitStyle });
    const ask = () => api('GET', '/users/me/calendarList');
    await ask();
    google.clock.advance(30_000);
    await ask();
    await ask();
    expect(await ask()).toMatchObject({ status, reason, body: { error: { errors: [{ domain: 'usageLimits' }] } } });
    google.clock.advance(29_999);
    expect((await ask()).status).toBe(status);
    google.clock.advance(1);
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(status);
  });

  it('the quota of the project counts the requests of all users', async () => {
    await google.control.seed({ account: 'bob@example.com' });
    const bob = (await google.signIn('bob@example.com')).api;
    await google.control.knobs({ perMinutePerProject: 1 });
    expect((await bob('GET', '/users/me/calendarList')).status).toBe(200);
    expect((await api('GET', '/users/me/calendarList')).status).toBe(403);
  });
});

describe('batch requests (Send batch requests)', () => {
  const batch = async (...calls: string[]) => {
    const { token } = await google.signIn(ADA);
    const parts = calls.map(
      (call, i) => `--b\r\nContent-Type: application/http\r\nContent-ID: <item-${i}>\r\n\r\n${call}\r\n`,
    );
    return await google.ask<string>('POST', '/batch/calendar/v3', {
      body: `${parts.join('')}--b--\r\n`,
      headers: { authorization: `Bearer ${token.access_token}`, 'content-type': 'multipart/mixed; boundary=b' },
    });
  };

  it('a batch answers every call under its own id and status, and counts each', async () => {
    const body = JSON.stringify(SINGLE);
    const {
      status,
      headers,
      body: text,
    } = await batch(
      `POST /calendar/v3${EVENTS}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      `GET /calendar/v3${EVENTS}/nowhere?fields=id\r\n`,
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^multipart\/mixed; boundary=/);
    expect(text).toMatch(/Content-ID: <response-item-0>\r\n\r\nHTTP\/1.1 200 OK/);
    expect(text).toMatch(/Content-ID: <response-item-1>\r\n\r\nHTTP\/1.1 404 Not Found/);
    const ledger = await google.control.ledger();
    expect(ledger.slice(-3).map(({ operation, status: code }) => [operation, code])).toEqual([
      ['batch', 200],
      ['events.insert', 200],
      ['events.get', 404],
    ]);
  });

  it('a batch holds at most fifty calls', async () => {
    const call = `GET /calendar/v3${EVENTS}`;
    expect((await batch(...Array.from({ length: 51 }, () => call))).status).toBe(400);
    expect((await batch(...Array.from({ length: 50 }, () => call))).status).toBe(200);
  });
});

describe('authorization (Handle API errors, 401 and 403; the methods’ authorization)', () => {
  it('an expired access token is refused with 401', async () => {
    google.clock.advance(3_599_000);
    const answer = await api('GET', '/users/me/calendarList');
    expect(answer).toMatchObject({ status: 401, reason: 'authError', body: { error: { status: 'UNAUTHENTICATED' } } });
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('a missing scope is reported in the older and in the newer form', async () => {
    ({ api } = await google.signIn(ADA, 'https://www.googleapis.com/auth/calendar.events.readonly'));
    expect(await insert()).toMatchObject({
      status: 403,
      reason: 'insufficientPermissions',
      body: { error: { status: 'PERMISSION_DENIED', details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }] } },
    });
    expect((await api('GET', '/users/me/calendarList')).status).toBe(403);
    expect((await api('GET', EVENTS)).status).toBe(200);
  });

  it('a token for owned calendars cannot write to other calendars', async () => {
    await google.control.seed({ account: ADA, calendars: [{ id: 'team', owner: 'boss@example.com', role: 'writer' }] });
    ({ api } = await google.signIn(ADA, 'https://www.googleapis.com/auth/calendar.events.owned'));
    expect((await insert()).status).toBe(200);
    expect((await api('POST', '/calendars/team/events', SINGLE)).status).toBe(403);
  });
});
