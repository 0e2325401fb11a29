import { expect, test } from 'vitest';
import type { Core } from '#kernel/event.ts';
import { serialiseFeed } from '#kernel/ical/serialise-feed.ts';
import { mostAnswerBytes } from '#kernel/work-limits.ts';
import { eventsOf } from './feed-events.ts';

const head = { name: 'Holdfast', refreshMinutes: 15, stampMs: 0, isCut: false };
const sign = (name: string) => ({ uid: name, tag: '1' });

/** 10,000 instances of two series, each with the longest description that an event may have. */
function* feedOf(notes: string) {
  const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Bomb', notes };
  const instances = Array.from({ length: 10_000 }, (_, n) => ({
    itemId: `item-${n % 2}`,
    recId: `${n}`,
    startMs: n * 60_000,
    endMs: n * 60_000 + 60_000,
    allDay: false,
    class: 'busy' as const,
    core,
  }));
  return yield* serialiseFeed(head, eventsOf(instances, 'UTC', sign), mostAnswerBytes);
}

test.each(['a', '日'])(
  'a feed of 10,000 long descriptions (%s) has a bounded size and pauses after each event',
  (letter) => {
    const work = feedOf(letter.repeat(32_000));
    let pauses = 0;
    let step = work.next();
    for (; step.done !== true; step = work.next()) pauses += 1;
    const { text, isCut } = step.value;
    expect(isCut).toBe(true);
    // RFC 7986 5.2: the description of a calendar, before its components
    const [properties = ''] = text.split('BEGIN:VEVENT', 1);
    expect(properties).toMatch(/\r\nDESCRIPTION:This calendar is incomplete\./);
    expect(properties).toMatch(/\r\nX-WR-CALDESC:This calendar is incomplete\./);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(mostAnswerBytes + 1_000);
    expect(text.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
    expect(pauses).toBe(text.split('BEGIN:VEVENT').length - 1);
    expect(pauses).toBeGreaterThan(1_000);
  },
);

test('a description of 2,000 characters is whole in a feed, and a longer one is cut', () => {
  const notesOf = (length: number) => {
    const core: Core = { busy: 'busy', private: false, self: 'none', kind: 'default', notes: 'x'.repeat(length) };
    const instance = { itemId: 'i', recId: '', startMs: 0, endMs: 1, allDay: false, class: 'busy' as const, core };
    return [...eventsOf([instance], 'UTC', sign)][0]?.core.notes;
  };
  expect(notesOf(2_000)).toBe('x'.repeat(2_000));
  expect(notesOf(2_001)).toBe(`${'x'.repeat(1_999)}…`);
});
