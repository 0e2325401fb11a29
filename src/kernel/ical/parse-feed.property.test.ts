import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contentHash } from '#kernel/event-hash.ts';
import { normaliseBody } from '#kernel/ical/normalise-body.ts';
import { parseFeed } from '#kernel/ical/parse-feed.ts';
import { parseObject } from '#kernel/ical/parse-object.ts';
import { runs } from '../../../test/harness/law-budget.ts';

const context = { selfAddresses: ['ann@example.com'], tags: { verify: () => true }, calendarZone: 'Europe/Berlin' };

const oneOf = (words: string) => fc.constantFrom(...words.trim().split(/\s+/));
const name = oneOf(`
  BEGIN END UID DTSTART DTEND DURATION RRULE EXRULE RDATE EXDATE RECURRENCE-ID
  SUMMARY STATUS TRANSP CLASS ATTENDEE ORGANIZER SEQUENCE TZID TZOFFSETTO TZOFFSETFROM
  X-HOLDFAST-MIRROR X-MICROSOFT-CDO-ALLDAYEVENT X-WR-TIMEZONE CATEGORIES URL X-LIC-LOCATION`);
const parameter = fc.oneof(
  fc.constant(''),
  oneOf(`
    ;VALUE=DATE ;TZID=Europe/Berlin ;TZID=Pacific/Apia ;TZID=America/Adak ;TZID=Mine ;TZID=" ;= ;; ;VALUE=PERIOD
    ;RANGE=THISANDFUTURE ;PARTSTAT=DECLINED ;CN="a:b;c" ;CN=^n^^`),
);
const value = fc.oneof(
  fc.constantFrom('VEVENT', 'VEVENT', 'VCALENDAR', 'VTIMEZONE', 'STANDARD', 'u1', 'TRUE', 'CANCELLED', 'TRANSPARENT'),
  fc.constantFrom('20270308', '20270308T090000', '20270328T023000', '20270308T080000Z', '00010101T000000Z', '-1'),
  fc.constantFrom('99991231T235959', '99991231', '00020101T000000', '20270308T240000', '19000101T000000Z'),
  fc.constantFrom('P1D', 'PT1H', '-PT1H', 'P999999999W', 'P', '+0100', '-1200', 'Mine', 'mailto:ann@example.com'),
  fc.constantFrom('FREQ=DAILY;UNTIL=99991231T235959', 'FREQ=WEEKLY;COUNT=3', 'FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU'),
  fc.constantFrom('20270308T090000/PT1H,20270309T090000/20270309T100000Z', '99991231/P1D', '20270308,,x'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const line = fc.tuple(name, parameter, value).map(([n, p, v]) => `${n}${p}:${v}`);
const event = fc
  .array(line, { maxLength: 12 })
  .map((lines) => ['BEGIN:VEVENT', 'UID:u1', 'DTSTART:20270308T080000Z', ...lines, 'END:VEVENT'].join('\r\n'));
const loose = fc.array(line, { maxLength: 12 }).map((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT'].join('\r\n'));
const text = fc
  .array(fc.oneof(event, loose, line), { maxLength: 5 })
  .map((parts) => ['BEGIN:VCALENDAR', ...parts, 'END:VCALENDAR'].join('\r\n'));

test('any feed or object text is read without throwing, and the result can be hashed and written', () => {
  let understood = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 5, arbitrary: text }, fc.string({ unit: 'binary', maxLength: 200 })), (input) => {
      const feed = parseFeed(input, context);
      const objects = feed.ok ? [...feed.objects] : [];
      for (const { body } of [parseObject(input, context), ...objects]) {
        expect(contentHash(body)).toHaveLength(64);
        expect(JSON.stringify(body).isWellFormed()).toBe(true);
        expect(JSON.stringify(body)).not.toContain('\\u0000');
        if (body.kind === 'series') {
          for (const recId of body.exdates) expect(body.overrides).not.toHaveProperty([recId]);
        }
        if (body.kind !== 'single' && body.kind !== 'series') continue;
        understood += 1;
        const normal = normaliseBody(body);
        expect(normaliseBody(normal)).toEqual(normal);
      }
    }),
    { numRuns: runs(2_000) },
  );
  expect(understood).toBeGreaterThan(runs(500));
});
