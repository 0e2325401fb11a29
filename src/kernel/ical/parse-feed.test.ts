import { expect, test } from 'vitest';
import { type Feed, parseFeed } from '#kernel/ical/parse-feed.ts';

// Unbounded work ends in the timeout of its test: it takes minutes.

const context = { selfAddresses: [], tags: { verify: () => false } };

function file(...lines: string[]): string {
  return [
    'BEGIN:VCALENDAR',
    'X-WR-CALNAME:Team\\, all',
    'X-WR-TIMEZONE:Europe/Berlin',
    ...lines,
    'END:VCALENDAR',
    '',
  ].join('\r\n');
}
function event(uid: string | null, start: string, ...lines: string[]): string {
  const named = uid === null ? [] : [`UID:${uid}`];
  return ['BEGIN:VEVENT', ...named, `DTSTART:${start}`, ...lines, 'END:VEVENT'].join('\r\n');
}
function read(input: string | Uint8Array): Feed & { list: ReturnType<typeof summary>[] } {
  const feed = parseFeed(input, context);
  if (!feed.ok) return expect.fail(feed.reason);
  return { ...feed, list: [...feed.objects].map(summary) };
}
const summary = ({ uid, body }: { uid: string; body: { kind: string } }) => `${uid} ${body.kind}`;

test('a feed becomes one object for each UID, in whatever order its parts come', () => {
  const feed = read(
    file(
      event('a', '20270308T080000Z', 'RECURRENCE-ID:20270301T080000Z'),
      event('b', '20270308T080000Z'),
      event('a', '20270301T080000Z', 'RRULE:FREQ=WEEKLY'),
    ),
  );
  expect(feed.list).toEqual(['a series', 'b single']);
  expect(feed).toMatchObject({ name: 'Team, all', zone: 'Europe/Berlin', complete: true, count: 2, warnings: [] });
});

test('a feed with damaged events keeps the other events', () => {
  const feed = read(
    file(
      event('a', 'garbage'),
      event('b', '20270308T080000Z', 'BROKEN LINE', ';;;:::'),
      event('c', '20270308T080000Z', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270308T080000Z'),
      event('d', '20270308T080000Z', 'RRULE:FREQ=NEVER'),
    ),
  );
  expect(feed.list).toEqual(['a withheld', 'b single', 'c instances', 'd instances']);
});

test('a truncated feed is reported as incomplete, with its whole events and the start of the one that is cut', () => {
  const text = file(event('a', '20270308T080000Z'), event('b', '20270308T080000Z', 'RRULE:FREQ=DAILY;COUNT=3'));
  const cut = read(text.slice(0, text.indexOf(';COUNT')));
  expect(cut.complete).toBe(false);
  expect(cut.list).toEqual(['a single', 'b instances']);
  expect(cut).toMatchObject({ damaged: true, endsBetween: false, warnings: ['cut-off'] });
  const unclosed = read(text.replace('END:VCALENDAR\r\n', ''));
  expect(unclosed.complete).toBe(false);
  expect(unclosed.list).toEqual(['a single', 'b series']);
});

test('a file says when the zone of its floating times is unknown', () => {
  const feed = read(file(event('a', '20270308T080000')).replace('Europe/Berlin', 'Middle Earth'));
  expect(feed).toMatchObject({ zone: undefined, warnings: ['file-zone-unknown {"zone":"Middle Earth"}'] });
});

test('a quoted-printable text is read in its charset, over all its lines, and none of them is a property', () => {
  const lines = [
    'DTSTART:20270308T080000Z',
    'SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Gr=FC=DFe=',
    'DTSTART:20260101T000000Z=0D=0A=',
    'END:VEVENT',
  ];
  const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  const parsed = parseFeed(text, context);
  if (!parsed.ok) return expect.fail(parsed.reason);
  expect([...parsed.objects][0]?.body).toMatchObject({
    when: { start: '2027-03-08T08:00:00' },
    core: { title: 'GrüßeDTSTART:20260101T000000Z\nEND:VEVENT' },
  });
});

test('events without a UID or with a shared one are told apart by their content', () => {
  const feed = read(
    file(
      event(null, '20270308T080000Z', 'SUMMARY:x'),
      event(null, '20270309T080000Z', 'SUMMARY:x'),
      event('same', '20270308T080000Z'),
      event('same', '20270309T080000Z'),
      event('moved', '20270308T080000Z', 'SEQUENCE:1'),
      event('moved', '20270309T080000Z', 'SEQUENCE:2'),
    ),
  );
  expect(feed.list.slice(2)).toEqual(['same~20270308T080000Z single', 'same~20270309T080000Z single', 'moved single']);
  expect(new Set(feed.list).size).toBe(5);
  expect(feed.warnings.length).toBe(2);
});

test('floating and UTC exclusions are both read in the zone of the feed', () => {
  const feed = parseFeed(
    file(event('a', '20270308T090000', 'RRULE:FREQ=WEEKLY', 'EXDATE:20270315T080000Z', 'EXDATE:20270322T090000')),
    context,
  ) as Feed;
  expect([...feed.objects][0]?.body).toMatchObject({ exdates: ['20270315T090000', '20270322T090000'] });
});

test.each([
  ['UTF-8', (text: string) => new TextEncoder().encode(text)],
  ['UTF-8 with its mark', (text: string) => new TextEncoder().encode(`\ufeff${text}`)],
  ['UTF-16 with its mark', (text: string) => utf16(`\ufeff${text}`, true)],
  ['UTF-16 without a mark', (text: string) => utf16(text, true)],
  ['big-endian UTF-16', (text: string) => utf16(text, false)],
  ['Windows-1252', (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))],
])('a feed in %s is read', (_, encode) => {
  const feed = parseFeed(encode(file(event('ü', '20270308T080000Z'))), context) as Feed;
  expect([...feed.objects].map(summary)).toEqual(['ü single']);
});

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let i = 0; i < text.length; i += 1) view.setUint16(i * 2, text.charCodeAt(i), littleEndian);
  return new Uint8Array(view.buffer);
}

test.each([
  ['a login page', '<html>Sign in</html>'],
  ['nothing', ''],
  ['an address card', 'BEGIN:VCARD\r\nEND:VCARD\r\n'],
  ['11 MB', new Uint8Array(11 * 1024 * 1024)],
  ['a million events', file('BEGIN:VEVENT\r\nEND:VEVENT\r\n'.repeat(300_000))],
])('a feed of %s is refused as a whole', (_, input) => {
  expect(parseFeed(input, context)).toEqual({ ok: false, reason: expect.any(String) });
});

test('a feed of 8,000 events in 4,000 unknown zones is read quickly', () => {
  const zones = Array.from({ length: 4_000 }, (_, n) =>
    [`BEGIN:VTIMEZONE`, `TZID:Zone ${n}`, 'BEGIN:STANDARD', 'END:STANDARD', 'END:VTIMEZONE'].join('\r\n'),
  );
  const events = Array.from({ length: 8_000 }, (_, n) =>
    event(`e${n}`, `20270308T080000`).replace('DTSTART', `DTSTART;TZID=Zone ${n}`),
  );
  const feed = read(file(...zones, ...events));
  expect(feed.list).toHaveLength(8_000);
});

const times = (count: number, line: (n: number) => string) => Array.from({ length: count }, (_, n) => line(n));
const most = 59_000;

test('the zone of a feed is looked for once, however many lines name one', () => {
  const lines = ['BEGIN:VCALENDAR', ...times(most, (n) => `X-WR-TIMEZONE:Nowhere/${n % 5}`)];
  const events = times(19_000, (n) => event(`${n}`, '20270308T080000Z'));
  expect(read([...lines, ...events, 'END:VCALENDAR'].join('\r\n')).list).toHaveLength(19_000);
});

test('a series with more than 20 rules has its start, and its rules are not read', () => {
  const rules = (count: number) => times(count, (n) => `RRULE:FREQ=DAILY;UNTIL=20990101T000000Z;COUNT=${n + 10_000}`);
  const series = (count: number) => read(file(event('a', '20270301T080000Z', ...rules(count))));
  expect(series(20).list).toEqual(['a series']);
  expect(series(most).list).toEqual(['a instances']);
});

test.each([
  ['EXDATE', (n: number) => `EXDATE;TZID=Nowhere/${n}:20270308T080000`],
  ['RDATE', (n: number) => `RDATE;TZID=Nowhere/${n}:20270308T080000`],
  ['ATTENDEE', (n: number) => `ATTENDEE;CN=${n}:mailto:a${n}@x.example`],
  ['CATEGORIES', (n: number) => `CATEGORIES:${`x${n},`.repeat(10)}`],
  ['CONFERENCE', (n: number) => `CONFERENCE:tel:${n}`],
])('an event with 59,000 lines of %s keeps its time', (name, line) => {
  const feed = parseFeed(file(event('a', '20270301T080000Z', 'RRULE:FREQ=DAILY', ...times(most, line))), context);
  const [object] = [...(feed as Feed).objects];
  expect(object?.body).toMatchObject({ kind: 'series', when: { start: '2027-03-01T08:00:00' } });
  if (name === 'ATTENDEE') expect(object?.warnings).toContain('guests-skipped {"number":58800}');
});

test('a feed names at most 1,000 zones: an event in a further one is read as local time', () => {
  const zoned = (n: number, zone: string) =>
    ['BEGIN:VEVENT', `UID:${n}`, `DTSTART;TZID=${zone}:20270308T080000`, 'END:VEVENT'].join('\r\n');
  const events = times(1_000, (n) => zoned(n, `Nowhere/${n}`));
  const feed = parseFeed(
    file(zoned(-1, 'Asia/Tokyo'), ...events, zoned(-2, 'Asia/Seoul'), zoned(-3, 'Asia/Tokyo')),
    context,
  );
  const bodies = [...(feed as Feed).objects].map(({ body }) => body);
  expect([bodies.at(0), bodies.at(-2), bodies.at(-1)]).toMatchObject([
    { when: { zone: 'Asia/Tokyo' } },
    { when: { kind: 'floating' } },
    { when: { zone: 'Asia/Tokyo' } },
  ]);
});

test('a line with 100,000 parameters is read by its first ones and by its value', () => {
  const parameters = times(100_000, (n) => `;P${n}=1`).join('');
  const feed = parseFeed(
    file(
      ['BEGIN:VEVENT', 'UID:a', `DTSTART;VALUE=DATE${parameters}:20270308`, 'END:VEVENT'].join('\r\n'),
      ['BEGIN:VEVENT', 'UID:b', `DTSTART${parameters};TZID=GMT+05:30:20270308T080000`, 'END:VEVENT'].join('\r\n'),
    ),
    context,
  );
  const bodies = [...(feed as Feed).objects].map(({ body }) => body);
  expect(bodies).toMatchObject([{ when: { kind: 'all-day' } }, { when: { start: '2027-03-08T08:00:00' } }]);
});

test('a feed with more than 20,000 busy periods is refused as a whole', () => {
  const busy = (count: number) =>
    `BEGIN:VFREEBUSY\r\nFREEBUSY:${times(count, (n) => `20270308T080000Z/PT${n + 1}M`).join()}\r\nEND:VFREEBUSY`;
  expect(read(file(busy(20_000))).count).toBe(20_000);
  expect(parseFeed(file(busy(20_001)), context)).toEqual({ ok: false, reason: 'more than 20,000 busy periods' });
});
