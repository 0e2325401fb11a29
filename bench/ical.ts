import ICAL from 'ical.js';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody, type WritableBody } from '#kernel/ical/normalise-body.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { serialiseMirror } from '#kernel/ical/serialise-mirror.ts';
import { createMirrorSigner } from '#platform/mirror-signer.ts';
import { type Bench, interleave, median, timed } from './harness.ts';

/** 5,000 events with save and PUT pass in about 0.5 s: 100 us each for everything, of which this is to be little. */
const gateUs = 100;

/** As in the tables of docs/performance.md: 1,426 bytes with VTIMEZONE and three attendees, every tenth a series. */
function eventText(n: number): string {
  const isSeries = n % 10 === 0;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Bench//Bench//EN',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    'BEGIN:DAYLIGHT',
    'DTSTART:19810329T020000',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'TZNAME:CEST',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'END:DAYLIGHT',
    'BEGIN:STANDARD',
    'DTSTART:19961027T030000',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'TZNAME:CET',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'END:STANDARD',
    'END:VTIMEZONE',
    'BEGIN:VEVENT',
    `UID:bench-${n}@example.com`,
    'DTSTAMP:20261101T080000Z',
    'DTSTART;TZID=Europe/Berlin:20270308T090000',
    'DTEND;TZID=Europe/Berlin:20270308T100000',
    `SUMMARY:Planning number ${n} with the team`,
    'LOCATION:Room 5\\, second floor',
    'ORGANIZER;CN=Alice:mailto:alice@example.com',
    'ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT:mailto:bob@example.c',
    ' om',
    'ATTENDEE;CN=Carol;PARTSTAT=NEEDS-ACTION;ROLE=REQ-PARTICIPANT:mailto:carol@e',
    ' xample.com',
    'ATTENDEE;CN=Dan;PARTSTAT=DECLINED;ROLE=REQ-PARTICIPANT:mailto:dan@example.c',
    ' om',
    ...(isSeries ? ['RRULE:FREQ=WEEKLY;COUNT=26', 'EXDATE;TZID=Europe/Berlin:20270315T090000'] : []),
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'SEQUENCE:2',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ];
  const notes = 'Agenda\\, minutes of the last time\\, and what is left to do. '.repeat(20);
  const missing = Math.max(0, 1_426 - lines.join('\r\n').length - 'DESCRIPTION:\r\n'.length - 20);
  const folded = `DESCRIPTION:${notes.slice(0, missing)}`.replace(/(.{74})(?=.)/g, '$1\r\n ');
  return lines.toSpliced(lines.indexOf('STATUS:CONFIRMED'), 0, folded).join('\r\n');
}

/** Reading and writing of iCalendar: I1 text to canonical body and its hash, I2 body to mirror text. */
export const icalBench: Bench = {
  rows: ['I1', 'I2'],

  async run(wanted, { quick }, print) {
    const events = quick ? 200 : 5_000;
    const texts = Array.from({ length: events }, (_, n) => eventText(n));
    const signer = createMirrorSigner(new Uint8Array(32).fill(1));
    const context = { selfAddresses: ['carol@example.com'], tags: signer };
    const perEvent = async (work: () => void): Promise<number> => ((await timed(work)) * 1_000) / events;
    const rounds = quick ? 3 : 11;

    if (wanted.has('I1')) {
      const samples = await interleave(
        [
          {
            name: 'ours',
            run: () =>
              perEvent(() => {
                for (const text of texts) contentHash(parseObject(text, context).body);
              }),
          },
          {
            name: 'without hash',
            run: () =>
              perEvent(() => {
                for (const text of texts) parseObject(text, context);
              }),
          },
          {
            name: 'ical.js, jCal only',
            run: () =>
              perEvent(() => {
                for (const text of texts) ICAL.parse(text);
              }),
          },
          {
            name: 'ical.js, event with its times',
            run: () =>
              perEvent(() => {
                for (const text of texts) readWithIcalJs(text);
              }),
          },
        ],
        rounds,
        2,
      );
      const ours = median(samples.ours ?? []);
      print({
        id: 'I1',
        what: `iCalendar to canonical event and hash, ${events} objects of 1.4 KB`,
        unit: 'us per event',
        ours,
        floor: null,
        peers: peersOf(samples),
        gate: `<= ${gateUs} us`,
        passed: ours <= gateUs,
      });
    }

    if (wanted.has('I2')) {
      const bodies = texts.map((text) => normaliseBody(parseObject(text, context).body as WritableBody));
      const identities = bodies.map((_, n) =>
        signer.identityOf({ targetCalendarId: 't', originCalendarId: 'o', originUid: `${n}`, recId: null }, 1),
      );
      const components = texts.map((text) => new ICAL.Component(ICAL.parse(text) as never));
      const samples = await interleave(
        [
          {
            name: 'ours',
            run: () =>
              perEvent(() => {
                for (let n = 0; n < events; n += 1) {
                  serialiseMirror(bodies[n] as WritableBody, identities[n] as never, { stampMs: 0 });
                }
              }),
          },
          {
            name: 'ical.js',
            run: () =>
              perEvent(() => {
                for (const component of components) component.toString();
              }),
          },
        ],
        rounds,
        2,
      );
      const ours = median(samples.ours ?? []);
      print({
        id: 'I2',
        what: `canonical event to iCalendar, ${events} mirrors`,
        unit: 'us per event',
        ours,
        floor: null,
        peers: peersOf(samples),
        gate: `<= ${gateUs} us`,
        passed: ours <= gateUs,
      });
    }
  },
};

function peersOf(samples: Record<string, number[]>): Record<string, number> {
  const peers = Object.entries(samples).filter(([name]) => name !== 'ours');
  return Object.fromEntries(peers.map(([name, values]) => [name, median(values)]));
}

function readWithIcalJs(text: string): unknown {
  const component = new ICAL.Component(ICAL.parse(text) as never);
  const event = new ICAL.Event(component.getFirstSubcomponent('vevent') as ICAL.Component);
  return [event.uid, event.summary, event.location, event.startDate.toString(), event.endDate.toString()];
}
