import { expect, test } from 'vitest';
import type { CalendarId } from '#kernel/ids.ts';
import { judgeOverlap } from './judge-overlap.ts';

const work = 'work' as CalendarId;
const event = (more: object = {}) => ({ calendarId: work, class: 'busy' as const, rank: 1, ...more });

test('a busy event is a conflict, and a tentative hold only when it ranks as high as the event type', () => {
  expect(judgeOverlap(event(), { rank: 3 })).toBe('conflict');
  expect(judgeOverlap(event({ class: 'soft', rank: 3 }), { rank: 3 })).toBe('conflict');
  expect(judgeOverlap(event({ class: 'soft', rank: 4 }), { rank: 3 })).toBe('overbooked');
  expect(judgeOverlap(event({ class: 'soft', rank: 4 }), null)).toBe('overbooked');
});

test('an event in a calendar that the event type ignores is no conflict', () => {
  expect(judgeOverlap(event(), { blocking_calendar_ids: ['home' as CalendarId] })).toBe(null);
  expect(judgeOverlap(event(), { blocking_calendar_ids: [work] })).toBe('conflict');
});
