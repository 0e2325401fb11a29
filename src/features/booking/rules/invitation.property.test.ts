import fc from 'fast-check';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { type InvitedEvent, writeInvitation } from './invitation.ts';

const organizer = { name: 'Anna Host', email: 'calendar@holdfast.example' };
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

describe('an invitation', () => {
  it('is a REQUEST about one UID, with who asks, who is asked and who has said yes', () => {
    const { calendar, events } = read(write('REQUEST', meeting));
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST');
    const [event] = events;
    expect(event).toMatchObject({ uid: meeting.uid, sequence: 2, location: meeting.place });
    expect(event?.summary).toBe('Intro; with, commas\\ and\nlines');
    expect(event?.organizer).toBe('mailto:calendar@holdfast.example');
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

  it('that is taken back says CANCEL and CANCELLED', () => {
    const { calendar, events } = read(write('CANCEL', { ...meeting, isCancelled: true, sequence: 3 }));
    expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL');
    expect(events[0]?.component.getFirstPropertyValue('status')).toBe('CANCELLED');
    expect(events[0]?.sequence).toBe(3);
  });

  it('has no line over 75 octets and no bare line break', () => {
    const long = { ...meeting, notes: 'ä'.repeat(500), title: '🦉'.repeat(90) };
    const text = write('REQUEST', long);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  });

  it('says the instants of the meeting in the zone of its host, whatever day and zone, over both changes of the clock', () => {
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
      { numRuns: 200 },
    );
  });

  it('publishes several times of one booking, each under its own UID', () => {
    const { events } = read(write('PUBLISH', meeting, { ...meeting, uid: 'def@holdfast.invalid' }));
    expect(events.map(({ uid }) => uid)).toEqual(['abc@holdfast.invalid', 'def@holdfast.invalid']);
  });
});
