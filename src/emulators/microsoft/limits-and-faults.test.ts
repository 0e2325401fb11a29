import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClock } from '#emulators/kit/clock.ts';
import type { ActCommand } from './act.ts';
import { connectGraph, type GraphClient } from './graph-client.ts';
import { embedMicrosoft, launchMicrosoft, type MicrosoftEmulator } from './launch.ts';

/** Limits, batches, free and busy, and the faults of the catalogue. */

const clock = createClock();
const microsoft = embedMicrosoft({ clock });
const { control } = microsoft;
const account = 'ada@contoso.example';
const colleague = 'ben@contoso.example';
let graph: GraphClient;

const at = (dateTime: string, timeZone = 'UTC') => ({ dateTime, timeZone });
const meeting = {
  subject: 'M',
  start: at('2026-11-24T09:00:00'),
  end: at('2026-11-24T10:00:00'),
  transactionId: 'hf1:m:1',
};
const events = async () => (await control.snapshot()).accounts[account]!.calendars.home!.events;

beforeEach(async () => {
  clock.freeze();
  clock.set(Temporal.Instant.from('2026-11-23T08:00:00Z').epochMilliseconds);
  await control.reset();
  await control.seed({
    account,
    calendars: [
      {
        key: 'home',
        events: [
          { key: 'a', subject: 'Secret', start: '2026-11-24T09:00', minutes: 60, sensitivity: 'private' },
          { key: 'b', subject: 'Trip', start: '2026-11-24T12:00', minutes: 60, showAs: 'oof' },
          { key: 'c', subject: 'Maybe', start: '2026-11-24T14:00', minutes: 30, showAs: 'tentative' },
        ],
      },
    ],
  });
  await control.seed({ account: colleague, calendars: [{ key: 'home' }] });
  graph = await connectGraph(microsoft, account);
});
afterEach(() => control.setLatency(0));

describe('limits of Outlook [throttling-limits]', () => {
  it('a fifth concurrent request of a mailbox is refused with 429 ApplicationThrottled', async () => {
    await control.setLatency(20);
    const five = await Promise.all(Array.from({ length: 5 }, () => graph.get('/me/calendars')));
    expect(five.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 200, 200, 200, 429]);
    const refused = five.find(({ status }) => status === 429)!;
    expect(refused.body.error).toMatchObject({
      code: 'ApplicationThrottled',
      message: 'Application is over its MailboxConcurrency limit.',
    });
    expect(refused.headers.get('retry-after')).toBe('1');
    const other = await connectGraph(microsoft, colleague);
    const four = Promise.all(Array.from({ length: 4 }, () => graph.get('/me/calendars')));
    expect((await other.get('/me/calendars')).status).toBe(200);
    expect((await four).every(({ status }) => status === 200)).toBe(true);
  });

  it('the ten-minute limit of a mailbox also counts refused requests', async () => {
    await control.knobs({ requestsPer10Minutes: 3 });
    const statuses = async (count: number) => {
      const list: number[] = [];
      for (let n = 0; n < count; n += 1) list.push((await graph.get('/me/calendars')).status);
      return list;
    };
    expect(await statuses(3)).toEqual([200, 200, 200]);
    clock.advance(5 * 60_000);
    const refused = await graph.get('/me/calendars');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '300']);
    clock.advance(5 * 60_000);
    expect(await statuses(3)).toEqual([200, 200, 429]);
  });
});

describe('$batch [json-batching]', () => {
  it('a batch answers each request by its id, with its own status', async () => {
    const { status, body } = await graph.send('POST', '/$batch', {
      requests: [
        { id: '1', method: 'GET', url: '/me/calendar', headers: { prefer: 'IdType="ImmutableId"' } },
        { id: '2', method: 'GET', url: '/me/events/AAMkAGnope' },
        {
          id: '3',
          method: 'POST',
          url: '/me/events',
          headers: { 'content-type': 'application/json' },
          body: meeting,
          dependsOn: ['1'],
        },
        { id: '4', method: 'GET', url: '/me', dependsOn: ['2'] },
      ],
    });
    expect(status).toBe(200);
    const statuses = Object.fromEntries(body.responses.map((one) => [one.id, one.status]));
    expect(statuses).toEqual({ 1: 200, 2: 400, 3: 201, 4: 424 });
    expect(body.responses.find(({ id }) => id === '3')!.body.subject).toBe('M');
  });

  it('a batch takes at most twenty requests with unique ids', async () => {
    const requests = Array.from({ length: 21 }, (_, n) => ({ id: String(n), method: 'GET', url: '/me' }));
    expect((await graph.send('POST', '/$batch', { requests })).status).toBe(400);
    expect((await graph.send('POST', '/$batch', { requests: requests.slice(0, 20) })).body.responses).toHaveLength(20);
    expect((await graph.send('POST', '/$batch', { requests: [requests[0], requests[0]] })).status).toBe(400);
  });

  it('a batch is throttled request by request', async () => {
    await control.knobs({ requestsPer10Minutes: 3 });
    const requests = ['1', '2', '3'].map((id) => ({ id, method: 'GET', url: '/me/calendars' }));
    const { status, body } = await graph.send('POST', '/$batch', { requests });
    expect([status, body.responses.map((one) => one.status).sort((a, b) => a - b)]).toEqual([200, [200, 200, 429]]);
  });
});

describe('getSchedule [calendar-getschedule]', () => {
  const ask = (more: Record<string, unknown> = {}) =>
    graph.send('POST', '/me/calendar/getSchedule', {
      schedules: [account, 'nobody@contoso.example'],
      startTime: at('2026-11-24T09:00:00'),
      endTime: at('2026-11-24T15:00:00'),
      availabilityViewInterval: 60,
      ...more,
    });

  it('a schedule gives busy times as digits and items, hides private subjects, and reports unknown mailboxes as errors', async () => {
    const { body } = await ask();
    expect(body.value).toMatchObject([
      {
        scheduleId: account,
        availabilityView: '200301',
        scheduleItems: [
          { status: 'busy', isPrivate: true },
          { status: 'oof', subject: 'Trip' },
          { status: 'tentative' },
        ],
      },
      { scheduleId: 'nobody@contoso.example', error: { responseCode: 'ErrorMailRecipientNotFound' } },
    ]);
    expect(JSON.stringify(body.value)).not.toContain('Secret');
  });

  it('a schedule takes intervals from 5 minutes, and is refused for personal accounts', async () => {
    expect((await ask({ availabilityViewInterval: 4 })).status).toBe(400);
    await control.seed({ account: 'eve@outlook.example', personal: true, calendars: [{ key: 'home' }] });
    graph = await connectGraph(microsoft, 'eve@outlook.example');
    expect((await ask()).status).toBe(403);
  });
});

describe('fault catalog', () => {
  it.each([
    ['M4', undefined, 401, 'InvalidAuthenticationToken', null],
    ['M5', undefined, 429, 'ApplicationThrottled', '1'],
    ['M5', '300', 429, 'ApplicationThrottled', '300'],
    ['M5', 'date', 429, 'ApplicationThrottled', 'Mon, 23 Nov 2026 08:00:05 GMT'],
    ['M5', 'absent', 429, 'ApplicationThrottled', null],
    ['M5', 'TooManyRequests', 429, 'TooManyRequests', '5'],
    ['M5', '503', 503, 'ServiceUnavailable', '2'],
    ['M6', undefined, 429, 'ApplicationThrottled', '1'],
    ['M21', undefined, 404, 'MailboxNotEnabledForRESTAPI', null],
  ])('%s %s fails one request', async (name, variant, status, code, retryAfter) => {
    await control.addFaults({ name, ...(variant ? { variant } : {}) });
    const refused = await graph.get('/me/calendars');
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      status,
      code,
      retryAfter,
    ]);
    expect((await graph.get('/me/calendars')).status).toBe(200);
  });

  it.each([
    ['M13', undefined, 412, 'ErrorIrresolvableConflict'],
    ['M13', '409', 409, 'ErrorIrresolvableConflict'],
    ['M14', undefined, 400, 'ErrorOccurrenceCrossingBoundary'],
    ['M15', undefined, 404, 'ErrorItemNotFound'],
  ])('%s %s refuses a change and does not apply it', async (name, variant, status, code) => {
    const { id } = (await events())[0]!;
    await control.addFaults({ name, ...(variant ? { variant } : {}) });
    const refused = await graph.send('PATCH', `/me/events/${id}`, { subject: 'New' });
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect((await events())[0]!.subject).toBe('Secret');
  });

  it.each([
    ['bad-request', 400],
    ['conflict', 409],
    ['replay', 201],
  ])('M12 %s creates the event and answers as if its transactionId had been used', async (variant, status) => {
    await control.addFaults({ name: 'M12', variant });
    expect((await graph.send('POST', '/me/events', meeting)).status).toBe(status);
    expect((await events()).filter(({ transactionId }) => transactionId === 'hf1:m:1')).toHaveLength(1);
  });

  it('M17 gives time zone names that no table knows', async () => {
    await control.addFaults({ name: 'M17' }, { name: 'M17', variant: 'unknown', nth: 2 });
    const zones: unknown[] = [];
    for (let n = 0; n < 2; n += 1)
      zones.push((await graph.get('/me/events?$top=1&$select=originalStartTimeZone')).body.value[0]);
    expect(zones).toMatchObject([
      { originalStartTimeZone: 'tzone://Microsoft/Custom' },
      { originalStartTimeZone: 'Middle-earth Standard Time' },
    ]);
  });

  it.each([
    [undefined, 429],
    ['424', 424],
  ])('M20 %s fails one request of a batch that is answered with 200', async (variant, status) => {
    await control.addFaults({ name: 'M20', ...(variant ? { variant } : {}) });
    const { status: outer, body } = await graph.send('POST', '/$batch', {
      requests: [{ id: '1', method: 'GET', url: '/me' }],
    });
    expect([outer, body.responses[0]!.status]).toEqual([200, status]);
  });

  it('F1 cuts the connection before a write is applied, F2 after it', async () => {
    await control.addFaults({ name: 'F1', op: 'create-event' });
    await expect(graph.send('POST', '/me/events', meeting)).rejects.toThrow('fetch failed');
    expect(await events()).toHaveLength(3);
    await control.addFaults({ name: 'F2' });
    await expect(graph.send('POST', '/me/events', meeting)).rejects.toThrow('fetch failed');
    expect(await events()).toHaveLength(4);
    await control.addFaults({ name: 'F2', variant: '502', op: 'delete-event' });
    const { id } = (await events())[0]!;
    await expect(graph.send('DELETE', `/me/events/${id}`)).rejects.toThrow('is not valid JSON');
    expect(await events()).toHaveLength(3);
    expect((await control.ledger()).filter(({ operation }) => operation === 'create-event')).toMatchObject([
      { applied: false, fault: 'F1', account, calendar: 'home' },
      { applied: true, fault: 'F2', phase: 'after' },
    ]);
  });

  it.each([
    ['F3', undefined],
    ['F3', '500'],
    ['F4', 'html'],
  ])('%s %s answers with an HTML page', async (name, variant) => {
    await control.addFaults({ name, ...(variant ? { variant } : {}) });
    await expect(graph.get('/me')).rejects.toThrow('is not valid JSON');
  });

  it('F4 cuts a response, F5 slows it down or delays it', async () => {
    await control.addFaults({ name: 'F4' });
    await expect(graph.get('/me')).rejects.toThrow('terminated');
    expect(microsoft.emulator.machine.faultNamed('F5', undefined, {})).toMatchObject({
      effect: { kind: 'slow', bytesPerSecond: 1 },
    });
    expect(microsoft.emulator.machine.faultNamed('F5', 'headers', {})).toMatchObject({
      delayMs: 30_000,
      effect: { kind: 'none' },
    });
  });

  it('an unknown variant or a fault done by acts is refused with a reason', async () => {
    await expect(control.addFaults({ name: 'M5', variant: '7' })).rejects.toThrow('M5 has the variants 1, 300');
    await expect(control.addFaults({ name: 'M19' })).rejects.toThrow('done by the acts');
  });

  it('a calendar can become read-only or be removed', async () => {
    const { id } = (await control.snapshot()).accounts[account]!.calendars.home!;
    await control.act({ account, do: 'change-calendar', calendar: 'home', canEdit: false });
    expect((await graph.get(`/me/calendars/${id}`)).body).toMatchObject({ canEdit: false });
    expect((await graph.send('POST', '/me/events', meeting)).status).toBe(403);
    await control.act({ account, do: 'remove-calendar', calendar: 'home' });
    const gone = await graph.get(`/me/calendars/${id}/events`);
    expect([gone.status, gone.body.error.code]).toEqual([404, 'ErrorItemNotFound']);
  });
});

describe('simulated user actions', () => {
  it('a copied event keeps extended properties and has no transactionId', async () => {
    await graph.send('POST', '/me/events', {
      ...meeting,
      singleValueExtendedProperties: [
        { id: 'String {6e9f1a5b-8c5d-4b0e-9e57-0a4a7b0f5d11} Name holdfast', value: 'm' },
      ],
    });
    await control.act({ account, do: 'copy', event: 'hf1:m:1', calendar: 'home' });
    const [original, copy] = (await events()).filter(({ subject }) => subject === 'M');
    expect(copy).toMatchObject({ transactionId: null, extended: original!.extended });
    expect(copy!.id).not.toBe(original!.id);
  });

  it('a timed event can become all-day and back, change its zone, and become a series', async () => {
    const edit = async (changes: Extract<ActCommand, { do: 'edit' }>['changes']) => {
      await control.act({ account, do: 'edit', event: 'b', changes });
      return (await events()).find(({ key }) => key === 'b');
    };
    expect(await edit({ start: '2026-11-25' })).toMatchObject({
      isAllDay: true,
      start: '2026-11-25',
      end: '2026-11-26',
    });
    expect(await edit({ start: '2026-11-25T10:00' })).toMatchObject({ isAllDay: false, end: '2026-11-25T10:30:00' });
    expect(await edit({ zone: 'Asia/Tokyo' })).toMatchObject({ start: '2026-11-25T10:00:00', zone: 'Asia/Tokyo' });
    expect(await edit({ repeat: { type: 'daily', count: 3 } })).toMatchObject({
      recurrence: { range: { type: 'numbered', startDate: '2026-11-25', numberOfOccurrences: 3 } },
    });
    await control.act({ account, do: 'edit', event: 'b', day: '2026-11-26', changes: { subject: 'One of them' } });
    expect(await edit({ repeat: { type: 'daily', until: '2026-11-26' } })).toMatchObject({ exceptions: {} });
  });

  it('a reset restores the settings given at launch', async () => {
    const strict = embedMicrosoft({ clock, knobs: { concurrency: 1 } });
    await strict.control.knobs({ concurrency: 9, lagMs: 5 });
    await strict.control.reset();
    expect(await strict.control.knobs({})).toMatchObject({ concurrency: 1, lagMs: 0 });
  });
});

describe('launched emulator', () => {
  let launched: MicrosoftEmulator | null = null;
  afterEach(async () => {
    await launched?.close();
    launched = null;
  });

  it('the launched emulator has the documented URLs and gives links that lead back to it', async () => {
    launched = await launchMicrosoft({ clock });
    await launched.control.seed({
      account,
      calendars: [{ key: 'home', generate: { count: 12, fromDay: '2026-12-01' } }],
    });
    const client = await connectGraph(launched, account);
    const { body } = await client.get('/me/events');
    expect(body['@odata.nextLink']).toMatch(new RegExp(`^${launched.urls.graphBase}/me/events\\?`));
    expect((await client.get(body['@odata.nextLink']!)).body.value).toHaveLength(2);
    const document = (await (
      await fetch(`${launched.urls.authority}/v2.0/.well-known/openid-configuration`)
    ).json()) as { token_endpoint: string };
    expect(document.token_endpoint).toBe(`${launched.urls.authority}/oauth2/v2.0/token`);
  });

  it("the launched emulator validates a subscription's receiver and then notifies it of changes", async () => {
    launched = await launchMicrosoft();
    await launched.control.seed({
      account,
      calendars: [{ key: 'home', events: [{ key: 'a', start: '2026-12-01T09:00' }] }],
    });
    const posts: string[] = [];
    const told = Promise.withResolvers<void>();
    const receiver = createServer((request, response) => {
      const token = new URL(request.url!, 'http://receiver').searchParams.get('validationToken');
      posts.push(token === null ? 'notification' : 'validation');
      response.writeHead(token === null ? 202 : 200, { 'content-type': 'text/plain' }).end(token ?? '');
      if (token === null) told.resolve();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      const client = await connectGraph(launched, account);
      const { status } = await client.send('POST', '/subscriptions', {
        changeType: 'updated',
        resource: 'me/events',
        notificationUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
        expirationDateTime: Temporal.Now.instant().add({ hours: 2 }).round('second').toString(),
      });
      expect(status).toBe(201);
      await launched.control.act({ account, do: 'edit', event: 'a', changes: { subject: 'New' } });
      await told.promise;
      expect(posts).toEqual(['validation', 'notification']);
    } finally {
      receiver.close();
    }
  });
});
