import { describe, expect, test } from 'vitest';
import type { Item } from '#kernel/event.ts';
import { FetchError, type FetchRequest } from '#platform/fetch.ts';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import type { PullEnd } from '../port.ts';
import { feedUrlOf, openFeed } from './provider.ts';
import type { FeedSource } from './pull-feed.ts';

const url = 'https://calendar.example.org/private-8f3a/basic.ics';
const signer = createMirrorSigner(Buffer.alloc(32, 7));

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A publisher whose answer the test sets, and what it was asked; `eventsRead`: events with a tag, which is verified. */
function publish(first: Answer) {
  const asked: FetchRequest[] = [];
  const publisher = { answer: first as Answer | ((request: FetchRequest) => Answer), asked, eventsRead: 0 };
  const clock = { nowMs: Date.UTC(2026, 0, 5) };
  const source: FeedSource = {
    url,
    tags: {
      verify: (uid, tag) => {
        publisher.eventsRead += 1;
        return signer.verify(uid, tag);
      },
    },
    selfAddresses: [],
    nowMs: () => clock.nowMs,
    http: async (request) => {
      asked.push(request);
      const { answer } = publisher;
      const { status = 200, headers = {}, body = '' } = typeof answer === 'function' ? answer(request) : answer;
      return { status, headers, body, bytes: Buffer.from(body) };
    },
  };
  const provider = openFeed(source);
  const held = new Map<string, string>();
  const pull = async (cursor: string | null, full = cursor === null) => {
    const items: Item[] = [];
    const pages = provider.pull({
      calendarRef: 'feed',
      cursor,
      full,
      known: async (refs) => new Map(refs.flatMap((ref) => (held.has(ref) ? [[ref, held.get(ref) as string]] : []))),
      signal: AbortSignal.timeout(5_000),
    });
    for (;;) {
      const step = await pages.next();
      if (step.done === true) return { items, end: step.value as PullEnd };
      items.push(...step.value.items);
      for (const item of step.value.items) held.set(item.ref, item.version);
    }
  };
  return { publisher, provider, pull, clock, source };
}

const event = (uid: string, hour: number, more = '') =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260301T${`${hour}`.padStart(2, '0')}0000Z\r\n` +
  `DTEND:20260301T${`${hour}`.padStart(2, '0')}3000Z\r\nSUMMARY:Event at ${hour}\r\n${more}END:VEVENT\r\n`;
const calendar = (...events: string[]) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//y//EN\r\nX-WR-CALNAME:Team rota\r\n${events.join('')}END:VCALENDAR\r\n`;
const hours = (count: number, uid = (hour: number) => `e${hour}@x`) =>
  Array.from({ length: count }, (_, hour) => event(uid(hour), hour));

describe('feeds', () => {
  test('a feed is one read-only calendar with the name that its publisher gave it', async () => {
    const { provider } = publish({ body: calendar(event('a@x', 9)) });
    const signal = AbortSignal.timeout(5_000);
    expect(await provider.listCalendars(signal)).toEqual([
      { ref: 'feed', name: 'Team rota', writable: false, primary: true },
    ]);
    await expect(provider.deleteMirror('feed', { ref: 'a', version: 'b' }, signal)).rejects.toMatchObject({
      kind: 'rejected',
      code: 'READ_ONLY',
    });
  });

  test.each([
    ['NAME:Choir (spring)', url, 'Choir (spring)'],
    ['X-NONE:1', 'https://club.example.org/files/Team-Rota%202027.ics', 'Team Rota 2027 (club.example.org)'],
    ['X-NONE:1', 'https://club.example.org/Vereinsfahrten/%C3%9Cbungen.ics?key=s3cret', 'Übungen (club.example.org)'],
    ['X-NONE:1', 'https://club.example.org/calendar/8f3ac0ffee77.ics', 'club.example.org'],
    ['X-NONE:1', 'https://club.example.org/private/kXbQzRtYwPaa', 'club.example.org'],
    ['X-NONE:1', 'https://club.example.org/', 'club.example.org'],
    ['X-NONE:1', 'https://club.example.org/%E0%A4%A.ics', 'club.example.org'],
  ])('a feed with %s at %s is called %s', async (line, at, name) => {
    const body = calendar(event('a@x', 9)).replace('X-WR-CALNAME:Team rota', line);
    const provider = openFeed({
      url: at,
      tags: { verify: () => false },
      selfAddresses: [],
      nowMs: () => 0,
      http: async () => ({ status: 200, headers: {}, body, bytes: Buffer.from(body) }),
    });
    const [calendarOf] = await provider.listCalendars(AbortSignal.timeout(5_000));
    expect(calendarOf?.name).toBe(name);
  });

  test('a feed is requested conditionally, and a 304 changes nothing', async () => {
    const headers = { etag: '"1"', 'last-modified': 'Sun, 01 Mar 2026 00:00:00 GMT' };
    const { publisher, pull } = publish({ headers, body: calendar(event('a@x', 9)) });
    const { items, end } = await pull(null);
    expect(items.map((item) => item.ref)).toEqual(['a@x']);
    expect(end.listed).toEqual(new Set(['a@x']));
    publisher.answer = { status: 304 };
    const quiet = await pull(end.cursor, false);
    expect(quiet).toMatchObject({ items: [], end: { cursor: end.cursor, listed: null, requests: 1 } });
    expect(publisher.asked.at(-1)?.headers).toMatchObject({
      'if-none-match': '"1"',
      'if-modified-since': headers['last-modified'],
    });
  });

  test('an answer of the subscriber counts, and a new address of theirs reads an unchanged feed again', async () => {
    const answer = 'ORGANIZER:mailto:boss@x\r\nATTENDEE;PARTSTAT=declined:mailto:Ann@Work.example\r\n';
    const file: Answer = { headers: { etag: '"1"' }, body: calendar(event('a@x', 9, answer)) };
    const { publisher, pull, source } = publish(file);
    publisher.answer = ({ headers }) => (headers?.['if-none-match'] === '"1"' ? { status: 304 } : file);
    const selfOf = ({ items }: { items: Item[] }) => items.map(({ body }) => body.kind === 'single' && body.core.self);
    const first = await pull(null);
    expect(selfOf(first)).toEqual(['none']);
    source.selfAddresses = ['ann@work.example'];
    const second = await pull(first.end.cursor, false);
    expect(selfOf(second)).toEqual(['declined']);
    const third = await pull(second.end.cursor, false);
    expect(third).toMatchObject({ items: [], end: { listed: null } });
    source.selfAddresses = [];
    expect(selfOf(await pull(third.end.cursor, false))).toEqual(['none']);
  });

  test('a feed with new timestamps and another order has not changed', async () => {
    const { publisher, pull } = publish({ body: calendar(event('a@x', 9), event('b@x', 10)) });
    const { end } = await pull(null);
    publisher.answer = { body: calendar(event('b@x', 10), event('a@x', 9)).replaceAll('20260101T', '20260202T') };
    const again = await pull(end.cursor);
    expect(again.items).toEqual([]);
    expect(again.end.listed).toEqual(new Set(['a@x', 'b@x']));
  });

  test('a changed feed returns only new events and lists those it still has', async () => {
    const { publisher, pull } = publish({ body: calendar(...hours(6)) });
    const { end } = await pull(null);
    publisher.answer = { body: calendar(...hours(5), event('new@x', 20)) };
    const next = await pull(end.cursor);
    expect(next.items.map((item) => item.ref)).toEqual(['new@x']);
    expect(next.end.listed?.has('e5@x')).toBe(false);
  });

  test('a feed that suddenly lost more than half of its events is believed after ten minutes, not at the next reading', async () => {
    const { publisher, pull, clock } = publish({ headers: { etag: '"1"' }, body: calendar(...hours(10)) });
    const { end } = await pull(null);
    publisher.answer = { headers: { etag: '"2"' }, body: calendar(...hours(3)) };
    const doubted = await pull(end.cursor, false);
    expect(doubted.end.listed).toBeNull();
    clock.nowMs += 5_000;
    const asked = await pull(doubted.end.cursor, false);
    expect(asked.end.listed).toBeNull();
    clock.nowMs += 595_000;
    const believed = await pull(asked.end.cursor, false);
    expect(publisher.asked.at(-1)?.headers).not.toHaveProperty('if-none-match');
    expect(believed.end.listed?.size).toBe(3);
  });

  test.each([1, 4])('a feed of few events that suddenly has none is believed after ten minutes: %i', async (few) => {
    const { publisher, pull, clock } = publish({ body: calendar(...hours(few)) });
    const { end } = await pull(null);
    publisher.answer = { body: calendar() };
    const doubted = await pull(end.cursor, false);
    expect(doubted.end.listed).toBeNull();
    expect(doubted.end.warnings).toEqual([`events-doubted {"before":${few},"now":0}`]);
    clock.nowMs += 600_000;
    const believed = await pull(doubted.end.cursor, false);
    expect(believed.end.listed).toEqual(new Set());
    expect(believed.end.warnings).toEqual([]);
  });

  test('a loss of most events is told from the first reading on, until they come back or two weeks are over', async () => {
    const { publisher, pull, clock } = publish({ body: calendar(...hours(10)) });
    const { end } = await pull(null);
    expect(end.warnings).toEqual([]);
    publisher.answer = { body: calendar(...hours(3)) };
    const doubted = await pull(end.cursor, false);
    expect(doubted.end.warnings).toEqual(['events-doubted {"before":10,"now":3}']);
    clock.nowMs += 600_000;
    const believed = await pull(doubted.end.cursor, false);
    expect([believed.end.listed?.size, believed.end.warnings]).toEqual([3, ['events-lost {"before":10,"now":3}']]);
    publisher.answer = { body: calendar(...hours(4)) };
    const still = await pull(believed.end.cursor, false);
    expect(still.end.warnings).toEqual(['events-lost {"before":10,"now":4}']);
    publisher.answer = { body: calendar(...hours(9)) };
    expect((await pull(still.end.cursor, false)).end.warnings).toEqual([]);
    clock.nowMs += 14 * 86_400_000;
    publisher.answer = { body: calendar(...hours(4)) };
    expect((await pull(still.end.cursor, false)).end.warnings).toEqual([]);
  });

  test('a feed that is damaged and lost most events loses none, however long it stays so', async () => {
    const { publisher, pull, clock } = publish({ body: calendar(...hours(10)) });
    let { end } = await pull(null);
    publisher.answer = { body: calendar(...hours(3), 'BEGIN:VTODO\r\nSUMMARY:No end\r\n') };
    for (let reading = 0; reading < 3; reading += 1) {
      ({ end } = await pull(end.cursor, false));
      expect(end.listed).toBeNull();
      expect(end.warnings).toContain('events-doubted {"before":10,"now":3}');
      clock.nowMs += 900_000;
    }
    // mended, and as short: that proves it
    publisher.answer = { body: calendar(...hours(3)) };
    expect((await pull(end.cursor, false)).end.listed?.size).toBe(3);
  });

  test('a feed that shrank for one pull only loses no event', async () => {
    const { publisher, pull } = publish({ body: calendar(...hours(10)) });
    const { end } = await pull(null);
    publisher.answer = { body: calendar() };
    const doubted = await pull(end.cursor, false);
    publisher.answer = { body: calendar(...hours(10)) };
    const back = await pull(doubted.end.cursor, false);
    expect(doubted.end.listed).toBeNull();
    expect(back.items).toEqual([]);
    expect(back.end.listed?.size).toBe(10);
  });

  test('a feed with new UIDs at each fetch keeps its events by their time and content', async () => {
    let fetches = 0;
    const { publisher, pull } = publish({});
    publisher.answer = () => {
      fetches += 1;
      return { body: calendar(...hours(8, (hour) => `${fetches}-${hour}@random`)) };
    };
    const first = await pull(null);
    expect(fetches).toBe(2);
    expect(first.items).toHaveLength(8);
    const second = await pull(first.end.cursor);
    expect(fetches).toBe(3);
    expect(second.items).toEqual([]);
    expect(second.end.listed).toEqual(first.end.listed);
  });

  test.each([
    ['are the same file', (_: number, hour: number) => event(`e${hour}@x`, hour, 'X-HOLDFAST-MIRROR:none\r\n')],
    [
      'have other timestamps',
      (fetch: number, hour: number) =>
        event(`e${hour}@x`, hour, `X-HOLDFAST-MIRROR:none\r\nLAST-MODIFIED:2026010${fetch}T000000Z\r\n`),
    ],
    [
      'have other UIDs',
      (fetch: number, hour: number) => event(`${fetch}-${hour}@random`, hour, 'X-HOLDFAST-MIRROR:none\r\n'),
    ],
  ])('each event of a new feed is read once, where its two fetches %s', async (_, eventAt) => {
    const { publisher, pull } = publish({});
    publisher.answer = () => ({
      body: calendar(...Array.from({ length: 8 }, (__, hour) => eventAt(publisher.asked.length, hour))),
    });
    expect((await pull(null)).items).toHaveLength(8);
    expect(publisher.asked).toHaveLength(2);
    expect(publisher.eventsRead).toBe(8);
  });

  test('a feed with an unreadable event without a UID reports no deletions', async () => {
    const broken = 'BEGIN:VEVENT\r\nSUMMARY:when?\r\nEND:VEVENT\r\n';
    const { pull } = publish({ body: calendar(event('a@x', 9), broken) });
    const { items, end } = await pull(null);
    expect(items.map((item) => item.body.kind).sort()).toEqual(['single', 'withheld']);
    expect(end.listed).toBeNull();
  });

  test('a feed that is cut in an event has its known start, reports no deletions, and is read again as a whole', async () => {
    const body = calendar(event('a@x', 9), event('b@x', 11));
    const { publisher, pull } = publish({ headers: { etag: '"1"' }, body });
    const whole = await pull(null);
    publisher.answer = { headers: { etag: '"1"' }, body: body.slice(0, body.lastIndexOf('END:VEVENT')) };
    const cut = await pull(null);
    expect(cut.end).toMatchObject({ listed: null, warnings: ['cut-off'] });
    expect(cut.items.map((item) => [item.ref, item.body.kind])).toEqual([['b@x', 'instances']]);
    expect(cut.items[0]?.warnings).toEqual(['cut-off']);
    const asked = (cursor: string | null) => JSON.parse(cursor ?? '{}').etag;
    expect([asked(whole.end.cursor), asked(cut.end.cursor)]).toEqual(['"1"', undefined]);
  });

  test('an event that is mended is read again, also where its readable part was all that it says now', async () => {
    const plain = event('a@x', 9);
    const { publisher, pull } = publish({ body: calendar(plain) });
    const before = await pull(null);
    // an extra date that cannot be read: the event has times that are not known
    publisher.answer = { body: calendar(event('a@x', 9, 'RDATE:tomorrow\r\n')) };
    const damaged = await pull(before.end.cursor);
    expect(damaged.items.map(({ warnings = [] }) => warnings.length)).toEqual([1]);
    publisher.answer = { body: calendar(plain) };
    const mended = await pull(damaged.end.cursor);
    expect(mended.items.map(({ ref, warnings }) => [ref, warnings])).toEqual([['a@x', undefined]]);
    expect((await pull(mended.end.cursor)).items).toEqual([]);
  });

  test.each([
    ['in its first line', (body: string) => body.slice(body.indexOf('VERSION')), ['a@x', 'b@x', 'c@x']],
    ['between two events', (body: string) => body.slice(body.indexOf('BEGIN:VEVENT', 200)), ['b@x', 'c@x']],
    ['in an event', (body: string) => body.slice(body.indexOf('AMP:', 200)), ['c@x', 'no-uid']],
    ['in its last event', (body: string) => body.slice(body.lastIndexOf('AMP:')), ['no-uid']],
  ])('a feed whose beginning is missing reports no deletions: %s', async (_, cutOf, refs) => {
    const body = calendar(event('a@x', 9), event('b@x', 11), event('c@x', 13));
    const { publisher, pull } = publish({ body });
    const whole = await pull(null);
    publisher.answer = { body: cutOf(body) };
    const cut = await pull(whole.end.cursor, true);
    expect(cut.end).toMatchObject({ listed: null, warnings: expect.arrayContaining(['beginning-missing']) });
    const fresh = publish({ body: cutOf(body) });
    const { items } = await fresh.pull(null);
    expect(items.map(({ ref }) => ref.replace(/^(no-uid).*/, '$1')).toSorted()).toEqual(refs);
  });

  test('an event with two UIDs is read in part, and its feed reports no deletions', async () => {
    const joined = event('a@x', 9).replace(/END:VEVENT\r\n$/, '') + event('b@x', 11).replace(/BEGIN:VEVENT\r\n/, '');
    const { pull } = publish({ body: calendar(joined, event('c@x', 13)) });
    const { items, end } = await pull(null);
    expect(items.map(({ ref, body, warnings }) => [ref, body.kind, warnings])).toEqual([
      ['a@x', 'instances', ['cut-off']],
      ['c@x', 'single', undefined],
    ]);
    expect(end.listed).toBeNull();
  });

  test('a UID that is written twice is one UID', async () => {
    const { pull } = publish({ body: calendar(event('a@x', 9, 'UID:a@x\r\n')) });
    expect((await pull(null)).end.listed).toEqual(new Set(['a@x']));
  });

  test('a feed with new UIDs each time reports no deletions where an event is read in part', async () => {
    const { publisher, pull, clock } = publish({});
    const named = (rule: string) => () => ({
      body: calendar(
        ...Array.from({ length: 8 }, (_, hour) => event(`${publisher.asked.length}-${hour}@random`, hour, rule)),
      ),
    });
    publisher.answer = named('RRULE:FREQ=DAILY;COUNT=2\r\n');
    const { end } = await pull(null);
    clock.nowMs += 3_600_000;
    publisher.answer = named('RRULE:FREQ=SOMETIMES\r\n');
    const later = await pull(end.cursor, true);
    expect(later.items.map(({ body }) => body.kind)).toEqual(Array(8).fill('instances'));
    expect(later.end.listed).toBeNull();
  });

  test('a mirror in a feed is recognized as own', async () => {
    const identity = signer.identityUnder('0'.repeat(32), 1);
    const { pull } = publish({ body: calendar(event(identity.uid, 9, `X-HOLDFAST-MIRROR:${identity.tag}\r\n`)) });
    expect((await pull(null)).items[0]?.provenance).toBe('own');
  });

  test.each([
    ['a web page', { headers: { 'content-type': 'text/html' }, body: '<!doctype html><p>Sign in' }, 'NOT_A_FEED'],
    ['a web page that says it is a calendar', { body: '<html>' }, 'NOT_A_FEED'],
    ['a file without an event', { body: 'BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Mine\r\n' }, 'FEED_CUT_OFF'],
    ['a part of it', { status: 206, body: calendar(event('a@x', 9)) }, 'BAD_ANSWER'],
    ['nothing there', { status: 404 }, 'FEED_GONE'],
    ['gone for good', { status: 410 }, 'FEED_GONE'],
    ['no entry', { status: 403 }, 'FEED_REFUSED'],
    ['later', { status: 429, headers: { 'retry-after': '120' } }, 'TOO_MANY_REQUESTS'],
    ['a fault', { status: 500 }, 'BAD_ANSWER'],
    ['a way down from TLS', { status: 302, headers: { location: 'http://calendar.example.org/' } }, 'REDIRECTED'],
    ['a circle', { status: 302, headers: { location: url } }, 'REDIRECTED'],
  ])('a feed that answers with %s fails without revealing its URL', async (_, answer, code) => {
    const { publisher, pull } = publish({ body: calendar(event('a@x', 9)) });
    const { end } = await pull(null);
    publisher.answer = answer;
    const error = await pull(end.cursor).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String((error as Error).message)).not.toContain('private-8f3a');
  });

  test.each([
    [{ status: 404 }, 'calendar.example.org has no calendar at this address (404 Not Found). Copy the address again'],
    [{ status: 410 }, 'no longer publishes this calendar (410 Gone). Enter its new address, or disconnect it.'],
    [{ status: 401 }, 'requires a sign-in at this address (401). Enter the secret or public address'],
    [{ status: 403 }, "doesn't allow access to this calendar (403). Make it public there"],
    [{ status: 503 }, 'is limiting requests right now (503). Try again later.'],
    [{ status: 500 }, 'responded with status 500 and no calendar. Try again later'],
    [{ body: '<!DOCTYPE html><p>Sign in' }, 'shows a web page here instead of a calendar. Copy the address'],
    [{ body: '{"error":"none"}' }, 'sent a file that is not a calendar. Copy the address that ends in .ics'],
    [{ body: 'BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:Mine\r\n' }, 'ends before its first event. Try again later.'],
    [
      new FetchError('UNREACHABLE', 'The server could not be reached.'),
      'No server responds at calendar.example.org, or it is on a private network.',
    ],
    [new FetchError('TIMEOUT', "The server didn't respond in time."), "didn't respond in time. Its server may be busy"],
    [
      new FetchError('TLS', "The server's certificate is not trusted: its certificate has expired."),
      'its certificate has expired. Contact the operator of calendar.example.org.',
    ],
    [new FetchError('TOO_LARGE', 'The response is larger than 10 MB.'), 'larger than 10 MB. Ask the publisher'],
  ])('a new feed that fails with %o says what happened and what to do', async (answer, text) => {
    const { publisher, provider } = publish({});
    publisher.answer = () => {
      if (answer instanceof FetchError) throw answer;
      return answer;
    };
    const error = await provider.listCalendars(AbortSignal.timeout(5_000)).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toContain(text);
    // nothing was read before
    expect((error as Error).message).not.toMatch(/kept|any more|no longer lets/);
  });

  test('a redirect of a feed is checked like its first URL', async () => {
    const { publisher, pull } = publish({});
    publisher.answer = (request) => {
      if (request.url.includes('169.254')) throw new FetchError('UNREACHABLE', 'The server could not be reached.');
      return { status: 301, headers: { location: 'https://169.254.169.254/latest/meta-data' } };
    };
    await expect(pull(null)).rejects.toMatchObject({ kind: 'transient', code: 'UNREACHABLE' });
  });

  test.each([
    ['REFRESH-INTERVAL;VALUE=DURATION:PT1H', {}, 3_600_000],
    ['X-PUBLISHED-TTL:PT12H', {}, 43_200_000],
    ['X-PUBLISHED-TTL:PT1M', {}, 300_000],
    ['X-NOTHING:1', { 'cache-control': 'private, max-age=900' }, 900_000],
    ['X-PUBLISHED-TTL:P30D', {}, 86_400_000],
  ])('a feed with %s waits as long as its publisher asks, within bounds', async (line, headers, restMs) => {
    const body = calendar(event('a@x', 9)).replace('X-WR-CALNAME', `${line}\r\nX-WR-CALNAME`);
    const { pull } = publish({ headers, body });
    expect((await pull(null)).end.restMs).toBe(restMs);
  });
});

test.each([
  ['webcal://example.org/a.ics', 'https://example.org/a.ics'],
  ['webcals://example.org/a.ics', 'https://example.org/a.ics'],
  [' https://example.org/a.ics#x ', 'https://example.org/a.ics'],
  ['ftp://example.org/a.ics', null],
  ['https://me:secret@example.org/a.ics', null],
  ['example', null],
])('the feed address %s is subscribed to as %s', (text, expected) => {
  expect(feedUrlOf(text)).toBe(expected);
});
