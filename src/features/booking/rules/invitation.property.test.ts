import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/harness/law-budget.ts';
import { type InvitedEvent, writeInvitation } from './invitation.ts';
import { repeatStarts } from './repeat-starts.ts';
import { changeSeries, wholeOf } from './series-invitation.ts';

const organizer = { name: 'Anna Host', email: 'anna@example.org', sentBy: 'calendar@holdfast.example' };
const stampMs = Date.UTC(2027, 1, 1);

const meeting: InvitedEvent = {
  uid: 'abc@holdfast.invalid',
  sequence: 2,
  startMs: Date.UTC(2027, 2, 15, 13),
  endMs: Date.UTC(2027, 2, 15, 13, 30),
  zone: 'America/New_York',
  title: 'Intro; with, commas\\ and\nlines',
  notes: 'Change or cancel: https://holdfast.example/booked/x',
  place: 'Main Street 1, Springfield',
  joinUrl: 'https://meet.example.org/anna',
  isCancelled: false,
  attendees: [
    { email: 'guest@example.net', name: 'Guest "Q" ^ One', hasAccepted: true },
    { email: 'friend@example.net', name: null, hasAccepted: false },
  ],
};

const write = (method: 'REQUEST' | 'CANCEL' | 'PUBLISH', ...events: InvitedEvent[]) =>
  writeInvitation({ method, organizer, stampMs, events });
const read = (text: string) => {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return { calendar, events: calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one)) };
};

describe('invitations', () => {
  it('an invitation is a REQUEST about one UID, with its organizer, attendees and their PARTSTAT', () => {
    const { calendar, events } = read(write('REQUEST', meeting));
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST');
    const [event] = events;
    expect(event).toMatchObject({ uid: meeting.uid, sequence: 2, location: meeting.place });
    expect(event?.summary).toBe('Intro; with, commas\\ and\nlines');
    expect(event?.organizer).toBe('mailto:anna@example.org');
    expect(
      event?.attendees.map((one) => [
        one.getFirstValue(),
        one.getParameter('partstat'),
        one.getParameter('rsvp'),
        one.getParameter('cn'),
      ]),
    ).toEqual([
      ['mailto:guest@example.net', 'ACCEPTED', 'FALSE', 'Guest "Q" ^ One'],
      ['mailto:friend@example.net', 'NEEDS-ACTION', 'TRUE', 'friend@example.net'],
    ]);
  });

  it('a cancelled invitation has METHOD:CANCEL and STATUS:CANCELLED', () => {
    const { calendar, events } = read(write('CANCEL', { ...meeting, isCancelled: true, sequence: 3 }));
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL');
    expect(events[0]?.component.getFirstPropertyValue('status')).toBe('CANCELLED');
    expect(events[0]?.sequence).toBe(3);
  });

  it('an invitation has the way to join as URL and as CONFERENCE of RFC 7986', () => {
    const [event] = read(write('REQUEST', meeting)).events;
    const conference = event?.component.getFirstProperty('conference');
    expect(conference?.getFirstValue()).toBe(meeting.joinUrl);
    expect(conference?.type).toBe('uri');
    expect(write('REQUEST', meeting)).toContain('\r\nCONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://');
    expect(event?.component.getFirstPropertyValue('url')).toBe(meeting.joinUrl);
    expect(write('REQUEST', { ...meeting, joinUrl: null })).not.toMatch(/^(?:URL|CONFERENCE)/m);
  });

  it('an invitation has no line over 75 octets and no bare line break', () => {
    const long = { ...meeting, notes: 'ä'.repeat(500), title: '🦉'.repeat(90) };
    const text = write('REQUEST', long);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('an invitation has the instants of its meeting in the zone of its host, across clock changes', () => {
    const zones = [
      'America/New_York',
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
      'America/St_Johns',
      'UTC',
    ];
    const changes = [
      Date.UTC(2027, 2, 14, 7),
      Date.UTC(2027, 2, 28, 1),
      Date.UTC(2027, 9, 31, 1),
      Date.UTC(2027, 10, 7, 6),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...changes),
        fc.integer({ min: -300, max: 300 }),
        fc.integer({ min: 1, max: 96 }),
        (zone, changeMs, quarters, length) => {
          const startMs = changeMs + quarters * 900_000;
          const endMs = startMs + length * 900_000;
          const [event] = read(write('REQUEST', { ...meeting, zone, startMs, endMs })).events;
          const ms = (time: ICAL.Time | undefined) => (time?.toUnixTime() ?? Number.NaN) * 1_000;
          expect([ms(event?.startDate), ms(event?.endDate)]).toEqual([startMs, endMs]);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

const isLastDay = (ms: number, zone: string) => {
  const { day, daysInMonth } = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
  return day === daysInMonth;
};

describe('recurring invitations', () => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC'];
  const minuteMs = 60_000;

  it('a recurring invitation is read by another parser as exactly its remaining times, across clock changes', () => {
    const changes = [
      Date.UTC(2027, 2, 14, 7),
      Date.UTC(2027, 2, 28, 1),
      Date.UTC(2027, 9, 31, 1),
      Date.UTC(2028, 0, 30, 9),
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...changes),
        fc.integer({ min: -300, max: 300 }),
        fc.constantFrom('week', 'two-weeks', 'month'),
        fc.array(fc.constantFrom('stands', 'moved', 'over', 'own link'), { minLength: 2, maxLength: 12 }),
        (zone, changeMs, quarters, every, fates) => {
          const firsts = repeatStarts(changeMs + quarters * 15 * minuteMs, zone, every, fates.length);
          const times = firsts.map((firstMs, n) => {
            const startMs = firstMs + (fates[n] === 'moved' ? 45 * minuteMs : 0);
            const joinUrl = fates[n] === 'own link' ? `https://meet.example.org/${n}` : null;
            return { firstMs, startMs, endMs: startMs + 30 * minuteMs, joinUrl, stands: fates[n] !== 'over' };
          });
          const expected = times.filter(({ stands }) => stands);
          // its reader loses the first of the last days of months, which others have
          fc.pre(expected.length > 0 && !(every === 'month' && isLastDay(firsts[0] ?? 0, zone)));
          const series = { uid: 'series@holdfast.invalid', sequence: 3, zone, times };
          const { method, events } = changeSeries(series, times, 'stand');
          expect(method).toBe('REQUEST');
          const { events: parsed } = read(write('REQUEST', ...events.map((one) => ({ ...meeting, ...one }))));
          const [master, ...others] = parsed;
          if (master === undefined) throw new Error('no meeting');
          for (const other of others) master.relateException(other);
          const iterator = master.iterator();
          const found: unknown[] = [];
          for (let at = iterator.next(); at; at = iterator.next()) {
            const { startDate, endDate, item } = master.getOccurrenceDetails(at);
            const joinUrl = item.component.getFirstPropertyValue('url');
            found.push([startDate.toUnixTime() * 1_000, endDate.toUnixTime() * 1_000, joinUrl]);
          }
          expect(found).toEqual(expected.map(({ startMs, endMs, joinUrl }) => [startMs, endMs, joinUrl]));
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('a canceled time of a recurring invitation has no way to join, and the others keep theirs', () => {
    const times = repeatStarts(Date.UTC(2027, 2, 15, 9), 'UTC', 'week', 3).map((firstMs, n) => ({
      firstMs,
      startMs: firstMs,
      endMs: firstMs + 30 * minuteMs,
      joinUrl: `https://meet.example.org/${n}`,
      stands: n !== 1,
    }));
    const series = { uid: 'series@holdfast.invalid', sequence: 1, zone: 'UTC', times };
    const [, canceled] = times;
    expect(changeSeries(series, canceled === undefined ? [] : [canceled], 'end')).toMatchObject({
      method: 'CANCEL',
      events: [{ isCancelled: true, joinUrl: null }],
    });
    const links = wholeOf(series).map(({ joinUrl }) => joinUrl);
    expect(links).toEqual([null, 'https://meet.example.org/0', 'https://meet.example.org/2']);
  });

  it('a recurring invitation on the last days of months has BYMONTHDAY=-1', () => {
    const times = repeatStarts(Date.UTC(2027, 0, 31, 9), 'UTC', 'month', 3).map((firstMs) => ({
      firstMs,
      startMs: firstMs,
      endMs: firstMs + 30 * minuteMs,
      joinUrl: null,
      stands: true,
    }));
    const [master] = wholeOf({ uid: 'series@holdfast.invalid', sequence: 0, zone: 'UTC', times });
    expect(master?.recurrence?.rule).toBe('FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3');
  });
});
