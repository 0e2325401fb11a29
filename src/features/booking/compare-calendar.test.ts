import { afterAll, beforeAll, expect, test } from 'vitest';
import { FetchError } from '#platform/fetch.ts';
import { startTestApp, type TestApp } from '../../../test/harness/test-app.ts';
import { signUpUser } from '../../../test/harness/test-client.ts';

const calendar = (...events: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR'].join('\r\n');
const event = (uid: string, ...lines: string[]) => ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT'].join('\r\n');
const file = calendar(
  event('1', 'DTSTART:20270301T090000Z', 'DTEND:20270301T100000Z', 'SUMMARY:Secret', 'RRULE:FREQ=WEEKLY;COUNT=3'),
  event('2', 'DTSTART:20270302T090000Z', 'DTEND:20270302T100000Z', 'TRANSP:TRANSPARENT'),
  event('3', 'DTSTART;VALUE=DATE:20270304', 'DTEND;VALUE=DATE:20270305'),
);

let server: TestApp;
beforeAll(async () => {
  const fetch = {
    dispatcher: undefined as never,
    close: async () => {},
    request: async ({ url }: { url: string }) => {
      if (url !== 'https://calendars.example/mine.ics')
        throw new FetchError('UNREACHABLE', 'The server does not answer.');
      return { status: 200, headers: {}, bytes: Buffer.from(file), body: file };
    },
  };
  server = await startTestApp({ role: 'web', fetch });
});
afterAll(() => server.close());

const minuteOf = (instant: string) => Temporal.Instant.from(instant).epochMilliseconds / 60_000;
const from = minuteOf('2027-03-01T00:00:00Z');
let networks = 0;
const asked = { from, days: 10, zone: 'Asia/Tokyo' };
const urlOfFile = (days: number, zone: string) => `/api/book/overlay/file?from=${from}&days=${days}&zone=${zone}`;
const fileUrl = urlOfFile(10, 'Asia/Tokyo');
/** From somewhere else each time. */
const compare = (body: object | string, token?: string, url = fileUrl) => {
  networks += 1;
  const isFile = typeof body === 'string';
  return server.inject({
    method: 'POST',
    url: isFile ? url : '/api/book/overlay',
    remoteAddress: `10.1.0.${networks}`,
    payload: isFile ? body : { ...asked, ...body },
    headers: {
      ...(isFile ? { 'content-type': 'text/calendar' } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
};
const busy = [
  { from: minuteOf('2027-03-01T09:00:00Z'), to: minuteOf('2027-03-01T10:00:00Z') },
  // a whole day is the visitor's
  { from: minuteOf('2027-03-03T15:00:00Z'), to: minuteOf('2027-03-04T15:00:00Z') },
  { from: minuteOf('2027-03-08T09:00:00Z'), to: minuteOf('2027-03-08T10:00:00Z') },
];

test('a calendar file is answered with its busy times and nothing else', async () => {
  const answer = await compare(file);
  expect(answer.json()).toEqual({ busy });
});

test('a webcal URL is fetched over HTTPS, and any unsafe or unreachable URL is refused', async () => {
  expect((await compare({ kind: 'address', url: 'webcal://calendars.example/mine.ics' })).json()).toEqual({ busy });
  for (const url of ['http://calendars.example/mine.ics', 'https://169.254.169.254/', 'file:///etc/passwd', 'x']) {
    const refused = await compare({ kind: 'address', url });
    expect([refused.statusCode, refused.json().detail.code], url).toEqual([400, 'CALENDAR_UNREACHABLE']);
  }
});

test('text that is no calendar is refused, and the own calendar requires a sign-in', async () => {
  expect((await compare('<html>')).json().detail.code).toBe('NOT_A_CALENDAR');
  expect((await compare({ kind: 'own' })).statusCode).toBe(401);
  const { token } = await signUpUser(server, 'visitor@example.org');
  expect((await compare({ kind: 'own' }, token)).json()).toEqual({ busy: [] });
});

const bomb = (count: number, ...lines: string[]) =>
  calendar(...Array.from({ length: count }, (_, n) => event(`${n}`, ...lines)));
const second = ['DTSTART:20270301T090000Z', 'DURATION:PT1S'];
const countAndUntil = 'RRULE:FREQ=DAILY;BYMONTHDAY=1,2,3;UNTIL=20270302T000000Z';

test.each([
  ['10,000 events every second', bomb(10_000, ...second, 'RRULE:FREQ=SECONDLY')],
  ['300 events every second', bomb(300, ...second, 'RRULE:FREQ=SECONDLY')],
  [
    '200 zoned events every minute',
    bomb(200, 'DTSTART;TZID=America/New_York:20270301T090000', 'DURATION:PT1S', 'RRULE:FREQ=MINUTELY'),
  ],
  ['the sum of 500 daily events', bomb(500, ...second, 'RRULE:FREQ=DAILY')],
  [
    '4,000 rules whose COUNT is compared with UNTIL',
    bomb(200, ...second, ...Array.from({ length: 20 }, (_, n) => `${countAndUntil};COUNT=${40_000 + n}`)),
  ],
])('a calendar that takes too much work is refused, by the whole file: %s', async (_, text) => {
  const refused = await compare(text, undefined, urlOfFile(62, 'UTC'));
  expect(refused.statusCode).toBe(413);
  // a busy machine meets the limit of computing time before the limit of steps
  const message: unknown = expect.stringMatching(/20000|takes longer than/);
  expect(refused.json().detail).toMatchObject({ code: 'CALENDAR_TOO_LARGE', message });
});

test('a calendar with an event of each frequency is answered', async () => {
  const frequencies = ['SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
  const text = calendar(...frequencies.map((one) => event(one, ...second, `RRULE:FREQ=${one}`)));
  const answer = await compare(text, undefined, urlOfFile(62, 'UTC'));
  expect(answer.statusCode).toBe(200);
  expect(answer.json().busy.length).toBeGreaterThan(24 * 60);
});

test('calendar comparisons are rate limited', async () => {
  const again = () =>
    server.inject({
      method: 'POST',
      url: fileUrl,
      remoteAddress: '10.2.0.1',
      payload: 'x',
      headers: { 'content-type': 'text/calendar' },
    });
  const answers = await Promise.all(Array.from({ length: 13 }, again));
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
});
