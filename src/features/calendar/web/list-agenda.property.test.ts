import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadZone, type Zone } from '#kernel/time/zones.ts';
import { busyMinutes, listAgenda, placeOfNow } from './list-agenda.ts';
import { sampleEvent } from './sample-event.ts';
import { dayNumberOf, wallSpan } from './wall-clock.ts';

const zone = loadZone('America/New_York') as Zone;
const dayMs = 86_400_000;
/** The clocks go forward on the 14th. */
const first = dayNumberOf('2027-03-10');
const days = { firstDay: first, dayCount: 7 };

const anyEvents = fc
  .array(
    fc.record({
      startMinute: fc.integer({ min: -3 * 1440, max: 9 * 1440 }),
      minutes: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 5 * 1440 })),
    }),
    { maxLength: 30 },
  )
  .map((parts) =>
    parts.map(({ startMinute, minutes }, index) => {
      const startMs = zone.toInstant(first * dayMs) + startMinute * 60_000;
      return sampleEvent({ id: `e${index}`, startMs, endMs: startMs + minutes * 60_000 });
    }),
  );

describe('listAgenda', () => {
  it('the agenda has every event on each day it touches, and every day once in order', () => {
    fc.assert(
      fc.property(anyEvents, fc.integer({ min: -1, max: 8 }), (events, todayAt) => {
        const sections = listAgenda(events, days, { zone, today: first + todayAt, slimMirrors: false });
        const seen = sections.flatMap((section) =>
          section.kind === 'day'
            ? [section.dayNumber]
            : Array.from({ length: section.lastDay - section.firstDay + 1 }, (_, step) => section.firstDay + step),
        );
        expect(seen).toEqual(Array.from({ length: 7 }, (_, step) => first + step));
        for (const event of events) {
          const { startWallMs, endWallMs } = wallSpan(zone, event);
          const from = Math.floor(startWallMs / dayMs);
          const to = Math.max(from, Math.ceil(endWallMs / dayMs) - 1);
          const touched = seen.filter((day) => from <= day && day <= to);
          const found = sections.flatMap((section) =>
            section.kind === 'day' && section.entries.some((entry) => entry.event === event) ? [section.dayNumber] : [],
          );
          expect(found).toEqual(touched);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('the agenda groups empty days, but gives today a section of its own', () => {
    const kinds = listAgenda([], days, { zone, today: first + 2, slimMirrors: false }).map((section) =>
      section.kind === 'day' ? section.dayNumber - first : [section.firstDay - first, section.lastDay - first],
    );
    expect(kinds).toEqual([[0, 1], 2, [3, 6]]);
  });

  it('the agenda puts all-day events first and numbers the days of a longer event', () => {
    const long = sampleEvent({
      id: 'long',
      title: 'Conference',
      startMs: zone.toInstant((first - 1) * dayMs),
      endMs: zone.toInstant((first + 2) * dayMs),
    });
    const early = sampleEvent({
      id: 'early',
      startMs: zone.toInstant(first * dayMs) + 3_600_000,
      endMs: zone.toInstant(first * dayMs) + 7_200_000,
    });
    const [section] = listAgenda([early, long], days, { zone, today: 0, slimMirrors: true });
    if (section?.kind !== 'day') throw new Error('the first day has events');
    expect(section.entries.map(({ event, hours, part }) => [event.id, hours?.startMinute, part.day, part.of])).toEqual([
      ['long', undefined, 2, 3],
      ['early', 60, 1, 1],
    ]);
  });
});

describe('placeOfNow', () => {
  it('the current time is placed before the events that start later', () => {
    const at = (startMinute: number) => ({
      event: sampleEvent({}),
      hours: { startMinute, endMinute: startMinute + 30 },
      part: { day: 1, of: 1 },
    });
    expect(placeOfNow([at(60), at(600), at(900)], 610)).toBe(2);
    expect(placeOfNow([at(60)], 1200)).toBe(1);
    expect(placeOfNow([], 0)).toBe(0);
  });

  it('the busy hours of a day count time in common once, and neither free time nor whole days', () => {
    const at = (startMinute: number, endMinute: number, more = {}) => {
      const startMs = zone.toInstant(first * dayMs) + startMinute * 60_000;
      const endMs = startMs + (endMinute - startMinute) * 60_000;
      return sampleEvent({ id: `${startMinute}`, startMs, endMs, ...more });
    };
    const events = [
      at(540, 600),
      at(570, 660),
      at(580, 590),
      at(720, 780, { blocks: false }),
      at(900, 930),
      at(0, 1440),
    ];
    const [day] = listAgenda(events, { firstDay: first, dayCount: 1 }, { zone, today: first, slimMirrors: false });
    expect(day?.kind === 'day' && busyMinutes(day.entries)).toBe(150);
  });
});
