/** The worst inputs that we know of the size that each door takes. */

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n`;
const calendar = (events: string) =>
  lines('BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//bomb//EN', `${events}END:VCALENDAR`);

/** Tomorrow, so that all of it lies in what is kept ready. */
const day = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString().replaceAll('-', '');

export const vevent = (uid: string, ...more: string[]) =>
  lines('BEGIN:VEVENT', `UID:${uid}`, `DTSTART:${day}T080000Z`, 'DURATION:PT1S', ...more, 'END:VEVENT');

export const repeated = (count: number, ...more: string[]) =>
  calendar(Array.from({ length: count }, (_, n) => vevent(`e${n}@x`, ...more)).join(''));

export const everySecond = 'RRULE:FREQ=SECONDLY';
/** Nearly as many instances as a series may have. */
export const nineADay = 'RRULE:FREQ=MINUTELY;INTERVAL=150';

const zoned = (count: number) =>
  calendar(
    Array.from({ length: count }, (_, n) =>
      lines(
        'BEGIN:VEVENT',
        `UID:${n}`,
        `DTSTART;TZID=America/New_York:${day}T080000`,
        'DURATION:PT1S',
        'RRULE:FREQ=MINUTELY',
        'END:VEVENT',
      ),
    ).join(''),
  );

const dates = Array.from({ length: 3_000 }, (_, n) => {
  const at = Temporal.PlainDateTime.from('2027-01-01T00:00:00').add({ minutes: n });
  return `${at.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}Z`;
}).join(',');

/** Calendar files of at most a megabyte. */
export const files: Readonly<Record<string, string>> = {
  '9,900 events every second': repeated(9_900, everySecond),
  '200 zoned events every minute': zoned(200),
  '6,000 daily events': repeated(6_000, 'RRULE:FREQ=DAILY'),
  '9,000 single events': repeated(9_000),
  'rules with exceptions by rule': repeated(4_000, 'RRULE:FREQ=MINUTELY', 'EXRULE:FREQ=MINUTELY;INTERVAL=2'),
  'rules that end by walking': repeated(4_000, 'RRULE:FREQ=DAILY;BYMONTHDAY=1,2,3;COUNT=40000'),
  'rules that never match': repeated(5_000, 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T000000Z'),
  'lists of dates': calendar(
    Array.from({ length: 18 }, (_, n) => vevent(`${n}`, 'RRULE:FREQ=MINUTELY', `EXDATE:${dates}`)).join(''),
  ),
  '240,000 short lines': calendar(vevent('a', Array.from({ length: 240_000 }, () => 'A:').join('\r\n'))),
  '300,000 folds': calendar(vevent('a', `DESCRIPTION:x${'\r\n '.repeat(300_000)}`)),
  'one event changed 9,000 times': calendar(
    Array.from({ length: 9_000 }, (_, n) =>
      vevent('same', `RECURRENCE-ID:${day}T${String(n % 24).padStart(2, '0')}${String(n % 60).padStart(2, '0')}00Z`),
    ).join(''),
  ),
  'a link with 600,000 brackets': calendar(vevent('a', `URL:http://x${')'.repeat(600_000)}a`)),
  '30,000 rules in one event': calendar(
    vevent('a', ...Array.from({ length: 30_000 }, (_, n) => `RRULE:FREQ=DAILY;COUNT=${n + 1}`)),
  ),
  '20,000 zones of the calendar': calendar(
    Array.from({ length: 20_000 }, (_, n) => `X-WR-TIMEZONE:Nowhere/${n}\r\n`).join('') +
      Array.from({ length: 3_000 }, (_, n) => vevent(`${n}`)).join(''),
  ),
  '25,000 zones of excluded dates': calendar(
    vevent('a', everySecond, ...Array.from({ length: 25_000 }, (_, n) => `EXDATE;TZID=Z/${n}:${day}T080000`)),
  ),
  '20 rules of COUNT and UNTIL in 500 events': repeated(
    500,
    ...Array.from(
      { length: 20 },
      (_, n) => `RRULE:FREQ=DAILY;BYMONTHDAY=1,2,3;UNTIL=${day}T090000Z;COUNT=${40_000 + n}`,
    ),
  ),
  '24,000 people in one event': calendar(
    vevent('a', ...Array.from({ length: 24_000 }, (_, n) => `ATTENDEE;CN=P ${n}:mailto:p${n}@x.org`)),
  ),
  '1,000 changed instances with 20 people each': calendar(
    vevent('a', 'RRULE:FREQ=MINUTELY') +
      Array.from({ length: 1_000 }, (_, n) =>
        vevent(
          'a',
          `RECURRENCE-ID:${day}T${String(Math.floor(n / 60)).padStart(2, '0')}${String(n % 60).padStart(2, '0')}00Z`,
          ...Array.from({ length: 20 }, (__, person) => `ATTENDEE;CN=P ${person}:mailto:p${person}@x.org`),
        ),
      ).join(''),
  ),
  '20,000 busy periods in one line': calendar(
    lines(
      'BEGIN:VFREEBUSY',
      `FREEBUSY:${Array.from({ length: 20_000 }, (_, n) => `${day}T${String(n % 24).padStart(2, '0')}0000Z/PT${n + 1}S`).join()}`,
      'END:VFREEBUSY',
    ),
  ),
  '100,000 parameters': calendar(vevent('a', `X-A${Array.from({ length: 100_000 }, (_, n) => `;P${n}=1`).join('')}:x`)),
};

export const contacts = Array.from({ length: 20_000 }, (_, n) =>
  lines('BEGIN:VCARD', 'VERSION:4.0', `FN:Person ${n}`, `EMAIL:p${n}@example.org`, 'END:VCARD'),
).join('');

const card = (...more: string[]) => lines('BEGIN:VCARD', 'VERSION:4.0', 'EMAIL:a@example.org', ...more, 'END:VCARD');

/** Address cards that were dear to read. */
export const cards: Readonly<Record<string, string>> = {
  'a name of 1 MB that ends in a backslash': card(`N:${'a'.repeat(1_000_000)}\\`),
  '190,000 categories twice': card(...Array.from({ length: 2 }, () => `CATEGORIES:${'abc,'.repeat(190_000)}`)),
  '59,000 addresses': card(...Array.from({ length: 59_000 }, (_, n) => `EMAIL:p${n}@example.org`)),
};

/** `[0,0,…]` of so many characters. */
export const zeros = (chars: number) => `[${'0,'.repeat(chars / 2 - 1)}0]`;

const multistatus = (inside: string) =>
  `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${inside}</d:multistatus>`;
const answerWith = (inside: string) =>
  Buffer.from(multistatus(`<d:response><d:href>/a</d:href>${inside}</d:response>`));
const filling = (text: string, megabytes: number) => text.repeat(Math.floor((megabytes * 1e6) / text.length));

export const emptyCalendar = (path: string) =>
  multistatus(
    `<d:response><d:href>${path}</d:href><d:propstat><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>` +
      '</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>',
  );

/** Answers of a CalDAV server; a discovery takes 10 MB, and a listing 64 MB. */
export const multistatuses: Readonly<Record<string, () => Buffer>> = {
  '9.5 MB of attributes in one tag': () =>
    answerWith(`<d:a ${Array.from({ length: 1_000_000 }, (_, n) => `a${n.toString(36)}=""`).join(' ')}/>`),
  '9.5 MB of control characters': () => answerWith(`<d:a>${filling('\u0001', 9.5)}</d:a>`),
  '9.5 MB of unknown entities': () => answerWith(`<d:a>${filling('&x;', 9.5)}</d:a>`),
  '50 MB of elements in one response': () => answerWith(filling('<d/>', 50)),
  '50 MB of responses': () => Buffer.from(multistatus(filling(`<d:response>${'<d/>'.repeat(4_900)}</d:response>`, 50))),
  '50 MB in one comment': () => answerWith(`<!--${filling('-x', 50)}-->`),
  'a text of 9.5 MB': () => answerWith(`<d:a>${filling('x', 9.5)}</d:a>`),
  '237,500 addresses': () =>
    answerWith(
      `<d:propstat><d:prop><c:calendar-user-address-set>${filling('<d:href>mailto:a@x.example</d:href>', 9.5)}` +
        '</c:calendar-user-address-set></d:prop></d:propstat>',
    ),
};
