import { beforeEach, describe, expect, it } from 'vitest';
import { emulateGoogle } from '../../../test/harness/emulated-google.ts';
import { faultNames } from './fault-catalogue.ts';

/** Every fault of the catalogue can be set by its name, and does what the name says. */

type Google = ReturnType<typeof emulateGoogle>;

let google: Google;
let api: Awaited<ReturnType<Google['signIn']>>['api'];
let refreshToken: string;
const ADA = 'ada@example.com';
const EVENTS = '/calendars/primary/events';
const SINGLE = { id: 'abcde', summary: 'Talk', start: { date: '2027-03-08' }, end: { date: '2027-03-09' } };

beforeEach(async () => {
  google = emulateGoogle();
  await google.control.seed({
    account: ADA,
    calendars: [{ events: [1, 2, 3].map((n) => ({ summary: `e${n}`, start: `2027-03-0${n}` })) }],
  });
  const signedIn = await google.signIn(ADA);
  api = signedIn.api;
  refreshToken = signedIn.token.refresh_token!;
});

const fault = (name: string, variant?: string, more: object = {}) =>
  google.control.addFaults({ name, variant, ...more });
const insert = () => api('POST', EVENTS, SINGLE);
const patch = () => api('PATCH', `${EVENTS}/abcde`, { summary: 'New' });
const list = (query = '') => api<{ items: { id: string }[]; nextPageToken?: string }>('GET', `${EVENTS}${query}`);
const stands = async () => JSON.stringify(await google.control.snapshot()).includes('"abcde"');

describe('network faults', () => {
  it('F1 cuts the connection before a write is applied, F2 after it', async () => {
    await fault('F1', undefined, { op: 'events.insert' });
    await expect(insert()).rejects.toThrow('fetch failed');
    expect(await stands()).toBe(false);
    await fault('F2');
    await expect(insert()).rejects.toThrow('fetch failed');
    expect(await stands()).toBe(true);
    await google.control.act({ account: ADA, do: 'delete', pick: 'abcde' });
    await fault('F2', '502', { op: 'events.delete' });
    expect((await api('DELETE', `${EVENTS}/abcde`)).status).toBe(502);
  });

  it.each(['500', '502', '503', '504'])('F3 answers %s with an HTML page', async (variant) => {
    await fault('F3', variant);
    const answer = await list();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([Number(variant), 'text/html; charset=utf-8']);
  });

  it('F4 cuts a response, breaks its JSON, or answers with a login page', async () => {
    await fault('F4');
    await expect(list()).rejects.toThrow('terminated');
    await fault('F4', 'invalid');
    await expect(list()).rejects.toThrow('JSON');
    await fault('F4', 'login-page');
    expect((await list()).headers.get('content-type')).toContain('text/html');
  });

  it('F5 slows a response down, or delays it by thirty seconds', async () => {
    await google.control.addFaults({ name: 'F5' }, { name: 'F5', variant: 'late' });
    expect(await google.control.faults()).toMatchObject([
      { effect: { kind: 'slow', bytesPerSecond: 1 } },
      { delayMs: 30_000, effect: { kind: 'none' } },
    ]);
  });

  it('F6 repeats a page, reorders its items or doubles them', async () => {
    await fault('F6');
    const first = (await list()).body;
    const again = (await list(`?pageToken=${first.nextPageToken}`)).body;
    expect(again.items).toEqual(first.items);
    expect(again.nextPageToken).toBeUndefined();
    await fault('F6', 'shuffled');
    expect((await list()).body.items.map(({ id }) => id)).toEqual(first.items.map(({ id }) => id).toReversed());
    await fault('F6', 'doubled');
    expect((await list()).body.items).toHaveLength(6);
  });
});

describe('error responses', () => {
  it.each([
    ['G1', undefined, 400, { error: 'invalid_grant' }],
    ['G2', undefined, 400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }],
    ['G3', undefined, 401, { error: 'invalid_client' }],
    ['G4', '503', 503, {}],
  ])('%s %s fails one token request', async (name, variant, status, body) => {
    await fault(name, variant);
    const answer = await google.refresh(refreshToken);
    expect(answer.status).toBe(status);
    if (status < 500) expect(answer.body).toMatchObject(body);
    expect((await google.refresh(refreshToken)).status).toBe(200);
  });

  it.each([
    ['G5', undefined, 401, 'authError'],
    ['G6', 'rateLimitExceeded', 403, 'rateLimitExceeded'],
    ['G6', 'userRateLimitExceeded', 403, 'userRateLimitExceeded'],
    ['G6', '429', 429, 'rateLimitExceeded'],
    ['G8', undefined, 403, 'insufficientPermissions'],
    ['G10', undefined, 410, 'fullSyncRequired'],
    ['G11', undefined, 400, 'invalid'],
    ['G17', 'notFound', 404, 'notFound'],
  ])('%s %s fails one list', async (name, variant, status, reason) => {
    await fault(name, variant);
    expect(await list()).toMatchObject({ status, reason });
    expect((await list()).status).toBe(200);
  });

  it.each([
    ['G7', 403, 'quotaExceeded'],
    ['G13', 409, 'duplicate'],
  ])('%s fails an insert before or after it was applied', async (name, status, reason) => {
    await fault(name);
    expect(await insert()).toMatchObject({ status, reason });
    expect(await stands()).toBe(false);
    await fault(name, undefined, { phase: 'after' });
    expect(await insert()).toMatchObject({ status, reason });
    expect(await stands()).toBe(true);
  });

  it.each([
    ['G9', undefined, 403, 'forbiddenForNonOrganizer'],
    ['G15', undefined, 412, 'conditionNotMet'],
    ['G17', 'requiredAccessLevel', 403, 'requiredAccessLevel'],
  ])('%s fails one patch', async (name, variant, status, reason) => {
    await insert();
    await fault(name, variant);
    expect(await patch()).toMatchObject({ status, reason });
    expect((await patch()).status).toBe(200);
  });

  it.each([
    ['deleted', 410],
    ['notFound', 404],
  ])('G16 %s fails a delete', async (variant, status) => {
    await insert();
    await fault('G16', variant);
    expect((await api('DELETE', `${EVENTS}/abcde`)).status).toBe(status);
  });

  it.each([
    ['G18', undefined, 400, 'pushNotSupportedForRequestedResource'],
    ['G19', 'channelIdNotUnique', 400, 'channelIdNotUnique'],
    ['G19', 'unauthorized', 401, 'push.webhookUrlUnauthorized'],
  ])('%s %s fails a watch request', async (name, variant, status, reason) => {
    await fault(name, variant);
    expect(await api('POST', `${EVENTS}/watch`, {})).toMatchObject({ status, reason });
  });

  it('G21 fails the stopping of a channel', async () => {
    await fault('G21');
    expect((await api('POST', '/channels/stop', {})).status).toBe(404);
  });
});

describe('altered responses', () => {
  it('G12 gives an empty page, a short one, a page without an item, or an endless list', async () => {
    await fault('G12');
    const empty = (await list()).body;
    expect([empty.items, empty.nextPageToken]).toEqual([[], expect.any(String)]);
    expect((await list(`?pageToken=${empty.nextPageToken}`)).body.items).toHaveLength(3);
    await fault('G12', 'short-page');
    expect((await list()).body.items).toHaveLength(1);
    await fault('G12', 'missing-item');
    expect((await list()).body.items).toHaveLength(2);
    await fault('G12', 'endless', { times: 0 });
    const first = (await list()).body;
    const second = (await list(`?pageToken=${first.nextPageToken}`)).body;
    expect([second.items, second.nextPageToken]).toEqual([first.items, expect.any(String)]);
  });

  it('G12 hides a change from one list and reports it in the next', async () => {
    const syncToken = ((await list()).body as { nextSyncToken?: string }).nextSyncToken!;
    await insert();
    await fault('G12', 'stale');
    const stale = (await list(`?syncToken=${syncToken}`)).body as { items: unknown[]; nextSyncToken?: string };
    expect(stale.items).toEqual([]);
    expect((await list(`?syncToken=${stale.nextSyncToken}`)).body.items).toMatchObject([{ id: 'abcde' }]);
  });

  it('G12 lists exceptions before their master', async () => {
    const event = { start: '2027-03-08', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], instances: { '2027-03-09': null } };
    await google.control.seed({ account: ADA, calendars: [{ events: Array.from({ length: 5 }, () => event) }] });
    await fault('G12', 'exceptions-first');
    const { items } = (await list()).body as { items: { recurringEventId?: string }[] };
    expect(items.slice(0, 5).every(({ recurringEventId }) => recurringEventId)).toBe(true);
  });

  it('G14 lets two inserts of one id both succeed', async () => {
    await insert();
    await fault('G14');
    expect((await insert()).status).toBe(200);
    expect((await list()).body.items).toHaveLength(5);
  });

  it('G20 delivers the sync message before the watch response', async () => {
    const seen: string[] = [];
    google.google.emulator.deliveries.sendWith(async ({ headers }) => {
      seen.push(headers['x-goog-resource-state']!);
      return { status: 200, body: '', headers: {}, tookMs: 0 };
    });
    await fault('G20');
    await api('POST', `${EVENTS}/watch`, { id: 'a', type: 'web_hook', address: 'https://holdfast.example/p' });
    expect(seen).toEqual(['sync']);
  });

  it('a fault with a probability hits some requests and not others', async () => {
    await google.control.addFaults({ name: 'G6', times: 0, probability: 0.5, calendar: ADA });
    const statuses = new Set<number>();
    for (let i = 0; i < 20; i += 1) statuses.add((await list()).status);
    expect(statuses).toEqual(new Set([200, 403]));
  });
});

it('the fault catalog has F1 to F6 and G1 to G21, and unknown names and variants are refused', async () => {
  const numbered = (letter: string, count: number) => Array.from({ length: count }, (_, i) => `${letter}${i + 1}`);
  expect(faultNames).toEqual([...numbered('F', 6), ...numbered('G', 21)]);
  await expect(fault('G99')).rejects.toThrow('no fault G99');
  await expect(fault('G6', 'often')).rejects.toThrow('no variant often of G6');
});
