import { describe, expect, test } from 'vitest';
import type { Core, Duration, Series } from '#kernel/event.ts';
import type { WritableBody } from '#kernel/ical/normalise-body.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { patchObject, writeObject } from '#kernel/ical/patch-object.ts';
import { writeReply } from '#kernel/itip/write-reply.ts';

const context = { selfAddresses: ['ann@example.com'], tags: { verify: () => false } };
const stamp = { stampMs: Date.UTC(2027, 0, 5, 12), owner: 'ann@example.com' };

function read(text: string): WritableBody {
  const { body } = parseObject(text, context);
  if (body.kind !== 'single' && body.kind !== 'series') throw new Error(`It is ${body.kind}`);
  return body;
}

/** Changes an object, and gives the lines that are gone and those that are new. */
function patch(text: string, change: (body: WritableBody) => WritableBody) {
  const before = read(text);
  const patched = patchObject(text, before, change(before), stamp);
  if (patched === null) throw new Error('It cannot be changed');
  const lines = (one: string) => one.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const [was, is] = [lines(text), lines(patched)];
  const without = (a: string[], b: string[]) => {
    const left = [...b];
    return a.filter((line) => {
      const at = left.indexOf(line);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  return { text: patched, body: read(patched), gone: without(was, is), added: without(is, was) };
}

const say = (core: Partial<Core>) => (body: WritableBody) => ({ ...body, core: { ...body.core, ...core } });
const series = (change: (body: Series) => Partial<Series>) => (body: WritableBody) => {
  if (body.kind !== 'series') throw new Error('It is no series');
  return { ...body, ...change(body) };
};

function asSeries(body: WritableBody): Series {
  if (body.kind === 'series') return body;
  return { ...body, kind: 'series', rules: [], exRules: [], extraDates: [], exdates: [], overrides: {} };
}

const lasting = (duration: Duration) => (body: WritableBody) => {
  if (body.when.kind === 'all-day') throw new Error('It is all-day');
  return { ...body, when: { ...body.when, duration } };
};

function calendar(...events: string[][]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', 'UID:u1@example.com', ...event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//t//t//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}
const at = [
  'DTSTAMP:20260101T000000Z',
  'DTSTART;TZID=Europe/Berlin:20270308T090000',
  'DTEND;TZID=Europe/Berlin:20270308T100000',
];
const weekly = [...at, 'RRULE:FREQ=WEEKLY;INTERVAL=1'];
const restamped = { gone: ['DTSTAMP:20260101T000000Z'], added: ['DTSTAMP:20270105T120000Z'] };

describe('patches', () => {
  test('a changed title writes its own line, keeps its language and updates the stamps', () => {
    const text = calendar([
      ...at,
      'summary;LANGUAGE=de-DE:Alt',
      'LAST-MODIFIED:20260101T000000Z',
      'SEQUENCE:4',
      'X-A:1',
    ]);
    const { gone, added } = patch(text, say({ title: 'Neu; und, anders' }));
    expect(gone).toEqual(['DTSTAMP:20260101T000000Z', 'summary;LANGUAGE=de-DE:Alt', 'LAST-MODIFIED:20260101T000000Z']);
    expect(added).toEqual([
      'DTSTAMP:20270105T120000Z',
      'SUMMARY;LANGUAGE=de-DE:Neu\\; und\\, anders',
      'LAST-MODIFIED:20270105T120000Z',
    ]);
  });

  test('a changed time writes start and end and increases the sequence', () => {
    const { gone, added } = patch(calendar([...at, 'SEQUENCE:4']), (body) => ({
      ...body,
      when: { kind: 'zoned', start: '2027-03-08T11:30:00', zone: 'Europe/Berlin', duration: { seconds: 1_800 } },
    }));
    expect(gone).toEqual(['DTSTAMP:20260101T000000Z', ...at.slice(1), 'SEQUENCE:4']);
    const from = added.indexOf('END:VTIMEZONE') + 1;
    expect(added.slice(0, 2)).toEqual(['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin']);
    expect(added.slice(from)).toEqual([
      'DTSTAMP:20270105T120000Z',
      'DTSTART;TZID=Europe/Berlin:20270308T113000',
      'DTEND;TZID=Europe/Berlin:20270308T120000',
      'SEQUENCE:5',
    ]);
  });

  test.each([
    ['1772360100', '1772360101'],
    ['1772360100000', '1772360100001'],
  ])('the sequence %s of an exporter that counts from 1970 becomes %s', (sequence, next) => {
    const { added } = patch(calendar([...at, `SEQUENCE:${sequence}`]), (body) => ({
      ...body,
      when: { kind: 'floating', start: '2027-03-08T11:30:00', duration: { seconds: 3_600 } },
    }));
    expect(added).toContain(`SEQUENCE:${next}`);
  });

  // Nextcloud writes empty ones. Source: RFC 5545 3.6.1, each at most once.
  test.each([
    ['TRANSP', say({ busy: 'free' })],
    ['STATUS', say({ busy: 'tentative' })],
    ['RRULE', (body: WritableBody) => ({ ...asSeries(body), rules: ['FREQ=DAILY;COUNT=2'] })],
    ['DTEND', lasting({ seconds: 1_800 })],
    ['DURATION', (body: WritableBody) => lasting({ days: 1 })({ ...asSeries(body), rules: ['FREQ=DAILY;COUNT=2'] })],
  ])('a value for %s replaces a line without one', (name, change) => {
    const start = ['DTSTAMP:20260101T000000Z', 'DTSTART;TZID=Europe/Berlin:20270308T090000'];
    const { gone, added } = patch(calendar([...start, `${name}:`]), change);
    expect(gone).toContain(`${name}:`);
    const event = added.slice(added.indexOf('END:VTIMEZONE') + 1);
    expect(event.filter((line) => line.split(/[;:]/)[0] === name)).toHaveLength(1);
  });

  test('an instance that is changed first has one name beside an empty one of its series', () => {
    const { added } = patch(
      calendar([...weekly, 'RECURRENCE-ID:']),
      series(({ when, core }) => ({ overrides: { '20270322T080000Z': { when, core: { ...core, title: 'y' } } } })),
    );
    const from = added.indexOf('BEGIN:VEVENT');
    expect(added.slice(from).filter((line) => line.startsWith('RECURRENCE-ID'))).toHaveLength(1);
  });

  test('a changed title is the only one, whichever a reader takes', () => {
    const { gone, added } = patch(calendar([...at, 'SUMMARY:First', 'SUMMARY:Second']), say({ title: 'Third' }));
    expect(gone).toEqual([...restamped.gone, 'SUMMARY:First', 'SUMMARY:Second']);
    expect(added).toEqual([...restamped.added, 'SUMMARY:Third']);
  });

  test('an added date uses the zone name of its file, and no zone is added', () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:W. Europe Standard Time', 'END:VTIMEZONE'];
    const text = calendar(weekly.map((line) => line.replace('Europe/Berlin', '"W. Europe Standard Time"'))).replace(
      'BEGIN:VEVENT',
      [...zone, 'BEGIN:VEVENT'].join('\r\n'),
    );
    const { added } = patch(
      text,
      series(() => ({ exdates: ['20270315T080000Z'] })),
    );
    expect(added).toEqual([
      'DTSTAMP:20270105T120000Z',
      'EXDATE;TZID="W. Europe Standard Time":20270315T090000',
      'SEQUENCE:1',
    ]);
  });

  test('a removed exclusion leaves the other excluded dates as they were spelled', () => {
    const text = calendar([
      ...weekly,
      'EXDATE;TZID=Europe/Berlin;X-P=1:20270315T090000,20270322T090000,20270329T090000',
    ]);
    const { added, gone } = patch(
      text,
      series(({ exdates }) => ({ exdates: [exdates[0] ?? '', exdates[2] ?? ''] })),
    );
    expect(gone).toContain('EXDATE;TZID=Europe/Berlin;X-P=1:20270315T090000,20270322T090000,20270329T090000');
    expect(added).toContain('EXDATE;TZID=Europe/Berlin;X-P=1:20270315T090000,20270329T090000');
  });

  test('an ended series writes only its rule, in the same line', () => {
    const text = calendar([...at, 'RRULE;X-P=1:INTERVAL=1;FREQ=WEEKLY', 'SUMMARY:x']);
    const { added, gone } = patch(
      text,
      series(() => ({ rules: ['FREQ=WEEKLY;UNTIL=20270401T065959Z'] })),
    );
    expect(gone).toEqual([restamped.gone[0], 'RRULE;X-P=1:INTERVAL=1;FREQ=WEEKLY']);
    expect(added).toEqual([restamped.added[0], 'RRULE;X-P=1:FREQ=WEEKLY;UNTIL=20270401T065959Z', 'SEQUENCE:1']);
  });

  test('a first changed instance becomes an event of its own with all properties of its series', () => {
    const text = calendar([...weekly, 'SUMMARY:x', 'X-APPLE-TRAVEL:1', 'EXDATE;TZID=Europe/Berlin:20270315T090000']);
    const when = {
      kind: 'zoned',
      start: '2027-03-23T14:00:00',
      zone: 'Europe/Berlin',
      duration: { seconds: 3_600 },
    } as const;
    const { gone, added } = patch(
      text,
      series(({ core }) => ({ overrides: { '20270322T080000Z': { when, core: { ...core, title: 'y' } } } })),
    );
    expect(gone).toEqual([]);
    const from = added.indexOf('BEGIN:VEVENT');
    expect(added.slice(from)).toEqual([
      'BEGIN:VEVENT',
      'UID:u1@example.com',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270322T090000',
      'DTSTAMP:20270105T120000Z',
      'DTSTART;TZID=Europe/Berlin:20270323T140000',
      'DTEND;TZID=Europe/Berlin:20270323T150000',
      'SUMMARY:y',
      'X-APPLE-TRAVEL:1',
      'SEQUENCE:1',
      'END:VEVENT',
    ]);
  });

  test('an all-day event marked by Outlook loses its mark when it gets a time', () => {
    const midnights = ['DTSTART;TZID=Europe/Berlin:20270308T000000', 'DTEND;TZID=Europe/Berlin:20270309T000000'];
    const { body, added } = patch(calendar([...midnights, 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE']), (before) => ({
      ...before,
      when: { kind: 'zoned', start: '2027-03-08T00:00:00', zone: 'Europe/Berlin', duration: { seconds: 86_400 } },
    }));
    expect(body.when).toHaveProperty('kind', 'zoned');
    expect(added).toContain('X-MICROSOFT-CDO-ALLDAYEVENT:FALSE');
  });

  test('a flight that lands in another zone keeps that zone when it moves', () => {
    const flight = ['DTSTART;TZID=Europe/Berlin:20270308T090000', 'DTEND;TZID=America/New_York:20270308T120000'];
    const { added } = patch(calendar(flight), (before) => ({
      ...before,
      when: { ...before.when, start: '2027-03-09T09:00:00' } as never,
    }));
    expect(added).toContain('DTEND;TZID=America/New_York:20270309T120000');
  });

  test('a changed reminder keeps its sound, and an email alarm is left alone', () => {
    const alarm = (...lines: string[]) => ['BEGIN:VALARM', ...lines, 'END:VALARM'];
    const text = calendar([
      ...at,
      ...alarm('ACTION:AUDIO', 'TRIGGER;RELATED=START:-PT15M', 'ATTACH:Basso'),
      ...alarm('ACTION:EMAIL', 'TRIGGER:-PT15M'),
      ...alarm('ACTION:DISPLAY', 'TRIGGER;VALUE=DATE-TIME:20270308T070000Z'),
      ...alarm('ACTION:DISPLAY', 'TRIGGER;RELATED=END:-PT5M'),
    ]);
    expect(read(text).core.reminders).toEqual([15]);
    const { gone, added, body } = patch(text, say({ reminders: [30, 1_440] }));
    expect(body.core.reminders).toEqual([30, 1_440]);
    expect(gone).toEqual([restamped.gone[0], 'TRIGGER;RELATED=START:-PT15M']);
    expect(added).toEqual([
      restamped.added[0],
      'TRIGGER:-PT30M',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'DESCRIPTION:Reminder',
      'TRIGGER:-P1D',
      'END:VALARM',
    ]);
    const none = patch(text, say({ reminders: [] }));
    expect(none.body.core.reminders).toBeUndefined();
    const sound = alarm('ACTION:AUDIO', 'TRIGGER;RELATED=START:-PT15M', 'ATTACH:Basso');
    expect(new Set(none.gone)).toEqual(new Set([...restamped.gone, ...sound]));
  });

  test('a changed reminder leaves alarms of the same time, those beyond five, and days that are days', () => {
    const alarm = (...lines: string[]) => ['BEGIN:VALARM', ...lines, 'END:VALARM'];
    const triggers = ['-PT5M', '-PT10M', '-P1D', '-PT24H', '-P1DT2H', '-P1W', '-P2W', '-P3W'];
    const text = calendar([...at, ...triggers.flatMap((trigger) => alarm('ACTION:DISPLAY', `TRIGGER:${trigger}`))]);
    expect(read(text).core.reminders).toEqual([5, 10, 1_440, 1_560, 10_080]);
    const { gone, added } = patch(text, say({ reminders: [5, 15, 1_440, 1_560, 10_080] }));
    expect(gone).toEqual([restamped.gone[0], 'TRIGGER:-PT10M']);
    expect(added).toEqual([restamped.added[0], 'TRIGGER:-PT15M']);
  });

  test('changed attendees leave rooms, the owner and the responses of the others', () => {
    const people = [
      'ORGANIZER;CN=Ann:mailto:ann@example.com',
      'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@example.com',
      'ATTENDEE;PARTSTAT=ACCEPTED;X-NUM-GUESTS=2:mailto:bob@example.com',
      'ATTENDEE;PARTSTAT=DECLINED:mailto:cem@example.com',
      'ATTENDEE;CUTYPE=ROOM;PARTSTAT=ACCEPTED:mailto:room@example.com',
    ];
    const { gone, added } = patch(calendar([...at, ...people]), (body) => {
      const attendees = [...(body.core.attendees ?? []).slice(0, 1), { email: 'dana@example.com', name: 'Dana, "D"' }];
      return say({ attendees })(body);
    });
    expect(gone).toEqual([restamped.gone[0], 'ATTENDEE;PARTSTAT=DECLINED:mailto:cem@example.com']);
    expect(added).toEqual([
      restamped.added[0],
      `ATTENDEE;ROLE=REQ-PARTICIPANT;CN="Dana, ^'D^'";PARTSTAT=NEEDS-ACTION;RSVP=TRUE:mailto:dana@example.com`,
    ]);
  });

  test('other copies of a replaced text are removed', () => {
    const text = calendar([
      ...at,
      'DESCRIPTION;ALTREP="cid:1":Old',
      'X-ALT-DESC;FMTTYPE=text/html:<b>Old</b>',
      'LOCATION:Here',
      'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Here:geo:1,2',
    ]);
    const { body, text: patched } = patch(text, say({ notes: 'New', location: 'There' }));
    expect(body.core).toMatchObject({ notes: 'New', location: 'There' });
    expect(patched).not.toMatch(/Old|Here/);
  });

  test('a changed link is written where it was, else as CONFERENCE, and a phone number stays', () => {
    const google = calendar([...at, 'X-GOOGLE-CONFERENCE:https://meet.google.com/a', 'CONFERENCE;VALUE=URI:tel:+4930']);
    expect(patch(google, say({ joinUrl: 'https://zoom.us/j/1' })).added).toContain(
      'X-GOOGLE-CONFERENCE:https://zoom.us/j/1',
    );
    const { joinUrl: _joinUrl, ...core } = read(google).core;
    expect(patch(google, (body) => ({ ...body, core })).gone).toEqual([
      restamped.gone[0],
      'X-GOOGLE-CONFERENCE:https://meet.google.com/a',
    ]);
    expect(patch(calendar(at), say({ joinUrl: 'https://video.example.com/1' })).added).toContain(
      'CONFERENCE;VALUE=URI;FEATURE=VIDEO:https://video.example.com/1',
    );
  });

  test('a link in a text is replaced there, or removed without the rest of the text', () => {
    const text = calendar([
      ...at,
      'LOCATION:https://zoom.us/j/1',
      'DESCRIPTION:Join:\\nhttps://zoom.us/j/1\\nBring ideas',
    ]);
    const moved = patch(text, say({ joinUrl: 'https://video.example.com/2' })).body.core;
    expect(moved).toMatchObject({
      joinUrl: 'https://video.example.com/2',
      location: 'https://video.example.com/2',
      notes: 'Join:\nhttps://video.example.com/2\nBring ideas',
    });
    const { joinUrl: _joinUrl, ...core } = read(text).core;
    const { location, joinUrl, notes } = patch(text, (body) => ({ ...body, core })).body.core;
    expect({ location, joinUrl, notes }).toEqual({ notes: 'Join:\nBring ideas' });
  });
});

describe('refused patches', () => {
  const title = say({ title: 'x' });
  const body = read(calendar(at));
  test.each([
    [
      'an override of all that follows',
      calendar(weekly, ['RECURRENCE-ID;RANGE=THISANDFUTURE:20270315T080000Z', ...at]),
    ],
    ['overrides without their series', calendar(['RECURRENCE-ID:20270315T080000Z', ...at])],
    ['a text that was cut off', calendar(at).slice(0, -40)],
    ['no calendar at all', 'hello'],
  ])('%s cannot be patched', (_, text) => {
    expect(patchObject(text, body, title(body), stamp)).toBeNull();
  });

  test('an invalid zone, time or email address is refused', () => {
    const when = {
      kind: 'zoned',
      start: '2027-03-08T09:00:00',
      zone: 'Mars/Olympus',
      duration: { seconds: 0 },
    } as const;
    expect(() => patchObject(calendar(at), body, { ...body, when }, stamp)).toThrow(RangeError);
    const bad = { ...when, zone: 'UTC', start: '2027\r\nX-EVIL:1' };
    expect(() => patchObject(calendar(at), body, { ...body, when: bad }, stamp)).toThrow(RangeError);
    const evil = say({ attendees: [{ email: 'a@b.c\r\nX-EVIL:1' }] })(body);
    expect(() => patchObject(calendar(at), body, evil, stamp)).toThrow(RangeError);
  });
});

describe('answers to invitations', () => {
  const own = ['ann@example.com', 'ann@home.example'];
  const answersAs = new Set(own);
  const invited = [
    'SEQUENCE:3',
    'SUMMARY:Plan',
    'ORGANIZER;CN=Bob:mailto:bob@example.com',
    'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.com',
    'ATTENDEE;CN=Ann;RSVP=TRUE;PARTSTAT=NEEDS-ACTION;X-A=1:mailto:ANN@example.com',
    'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ann@home.example',
    'ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:cem@example.com',
  ];
  const readOwn = (text: string) => {
    const { body } = parseObject(text, { ...context, selfAddresses: own });
    if (body.kind !== 'single' && body.kind !== 'series') throw new Error(`It is ${body.kind}`);
    return body;
  };
  const answer = (text: string, change: (body: WritableBody) => WritableBody) => {
    const before = readOwn(text);
    const patched = patchObject(text, before, change(before), { stampMs: stamp.stampMs, answersAs });
    if (patched === null) throw new Error('It cannot be answered');
    return patched;
  };
  const linesOf = (text: string) => text.replaceAll(/\r\n[ \t]/g, '').split('\r\n');
  const told = (text: string, more: Partial<Parameters<typeof writeReply>[1]> = {}) =>
    writeReply(text, { parts: [''], answersAs, note: null, stampMs: stamp.stampMs, ...more });
  const second = '20270315T080000Z';
  const declineSecond = (body: WritableBody): WritableBody =>
    body.kind === 'series'
      ? {
          ...body,
          overrides: {
            [second]: {
              when: {
                kind: 'zoned',
                start: '2027-03-15T09:00:00',
                zone: 'Europe/Berlin',
                duration: { seconds: 3_600 },
              },
              core: { ...body.core, self: 'declined' },
            },
          },
        }
      : body;

  test('an answer changes the own lines alone, those of both aliases, and no sequence', () => {
    const text = calendar([...at, ...invited]);
    const patched = answer(text, say({ self: 'accepted' }));
    const [was, is] = [linesOf(text), linesOf(patched)];
    expect(is.filter((line) => !was.includes(line))).toEqual([
      'DTSTAMP:20270105T120000Z',
      'ATTENDEE;CN=Ann;RSVP=TRUE;X-A=1;PARTSTAT=ACCEPTED:mailto:ANN@example.com',
      'ATTENDEE;PARTSTAT=ACCEPTED:mailto:ann@home.example',
    ]);
    expect(is).toHaveLength(was.length);
    expect(readOwn(patched)).toEqual({ ...readOwn(text), core: { ...readOwn(text).core, self: 'accepted' } });
  });

  test('an ordinary change writes no answer', () => {
    const text = calendar([...at, ...invited]);
    const before = readOwn(text);
    const after = { ...before, core: { ...before.core, self: 'declined' as const, title: 'Other' } };
    expect(readOwn(patchObject(text, before, after, stamp) ?? '').core).toMatchObject({
      self: 'needs-action',
      title: 'Other',
    });
  });

  test('an answered instance keeps the sequence of its series', () => {
    const text = calendar([...weekly, ...invited]);
    const patched = answer(text, declineSecond);
    expect(linesOf(patched).filter((line) => line.startsWith('SEQUENCE'))).toEqual(['SEQUENCE:3', 'SEQUENCE:3']);
    expect(linesOf(patched)).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20270315T090000');
    const body = readOwn(patched);
    expect(body.core.self).toBe('needs-action');
    expect(body.kind === 'series' ? body.overrides[second]?.core.self : null).toBe('declined');
  });

  test('whoever is not invited has nothing to answer', () => {
    const text = calendar([...at, ...invited.filter((line) => !/ann@/i.test(line))]);
    expect(() => answer(text, say({ self: 'accepted' }))).toThrow(RangeError);
  });

  test('a reply holds the answer of one person, the note, and no other attendee', () => {
    const text = answer(calendar([...at, ...invited]), say({ self: 'tentative' }));
    const reply = told(text, { note: 'Ten minutes late;\nsorry' });
    expect(reply).toMatchObject({ organizer: 'bob@example.com', attendee: 'ann@example.com' });
    const lines = linesOf(reply?.ics ?? '');
    expect(lines).toContain('METHOD:REPLY');
    expect(lines.filter((line) => line.startsWith('ATTENDEE'))).toEqual([
      'ATTENDEE;CN=Ann;RSVP=TRUE;X-A=1;PARTSTAT=TENTATIVE:mailto:ANN@example.com',
    ]);
    expect(lines).toContain('ORGANIZER;CN=Bob:mailto:bob@example.com');
    expect(lines).toContain('SEQUENCE:3');
    expect(lines).toContain(String.raw`COMMENT:Ten minutes late\;\nsorry`);
  });

  test('a reply about one instance names it, with the zone that its name needs', () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', 'END:VTIMEZONE', ''].join('\r\n');
    const text = calendar([...weekly, ...invited]).replace('BEGIN:VEVENT', `${zone}BEGIN:VEVENT`);
    const lines = linesOf(told(answer(text, declineSecond), { parts: [second] })?.ics ?? '');
    expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
    expect(lines).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20270315T090000');
    expect(lines).toContain('BEGIN:VTIMEZONE');
    expect(lines).not.toContain('RRULE:FREQ=WEEKLY;INTERVAL=1');
  });

  test('nobody is told where the organizer is the owner or has no e-mail address', () => {
    const by = (organizer: string) =>
      calendar([...at, ...invited.map((line) => (line.startsWith('ORGANIZER') ? `ORGANIZER:${organizer}` : line))]);
    expect(told(by('mailto:ann@home.example'))).toBeNull();
    expect(told(by('urn:uuid:1'))).toBeNull();
    expect(told(by('mailto:bob@example.com'))).not.toBeNull();
  });
});

test('an object of ours whose event moves to an earlier year has the clock of its zone there', () => {
  const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default' };
  const at = (start: string): WritableBody => ({
    kind: 'single',
    when: { kind: 'zoned', start, zone: 'Pacific/Apia', duration: { seconds: 3_600 } },
    core,
  });
  // Samoa ended summer time in 2021: an hour apart
  const text = writeObject('moved@example.com', at('2022-01-01T09:00:00'), stamp) as string;
  const moved = patchObject(text, read(text), at('2020-01-01T09:00:00'), stamp) as string;
  const { warnings } = parseObject(moved, context);
  expect(warnings).toEqual([]);
  expect(read(moved)).toMatchObject({ when: at('2020-01-01T09:00:00').when });
});
