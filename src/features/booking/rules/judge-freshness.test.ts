import { expect, test } from 'vitest';
import type { CalendarId } from '#kernel/ids.ts';
import { judgeFreshness } from './judge-freshness.ts';
import { defaultSettings, type TypeSettings } from './type-settings.ts';

const minute = 60_000;
const calendar = { id: 'work' as CalendarId, lastSyncedMs: 0, failures: 0 };
const type = (onStale: TypeSettings['freshness']['on_stale'], after: number, blocking: string[] | null = null) => ({
  ...defaultSettings('one-on-one'),
  freshness: { on_stale: onStale, stale_after_minutes: after },
  blocking_calendar_ids: blocking as CalendarId[] | null,
});

test('a calendar is stale after the limit of an event type, and the strictest event type counts', () => {
  expect(judgeFreshness(calendar, [type('warn', 30)], 30 * minute)).toBe(null);
  expect(judgeFreshness(calendar, [type('warn', 30)], 30 * minute + 1)).toBe('warn');
  expect(judgeFreshness(calendar, [type('warn', 30), type('block', 60)], 40 * minute)).toBe('warn');
  expect(judgeFreshness(calendar, [type('warn', 30), type('block', 60)], 61 * minute)).toBe('block');
});

test('a calendar that no event type checks is never stale, nor one before its first pull', () => {
  expect(judgeFreshness(calendar, [type('ignore', 30)], 60 * minute)).toBe(null);
  expect(judgeFreshness(calendar, [type('block', 30, ['home'])], 60 * minute)).toBe(null);
  expect(judgeFreshness({ ...calendar, lastSyncedMs: null }, [type('block', 30)], 60 * minute)).toBe(null);
  expect(judgeFreshness({ ...calendar, lastSyncedMs: null, failures: 3 }, [type('block', 30)], 60 * minute)).toBe(
    'block',
  );
});
