import { expect, test } from 'vitest';
import type { EventBody } from '#kernel/event.ts';
import { standingOf } from './event-standing.ts';

test('seconds of an event are no move of its booking', () => {
  const body: EventBody = {
    kind: 'single',
    when: { kind: 'zoned', start: '2027-03-08T10:00:20', zone: 'UTC', duration: { seconds: 1_800 } },
    core: { busy: 'busy', private: false, self: 'none', kind: 'default', title: 'Intro' },
  };
  const startsMs = Date.UTC(2027, 2, 8, 10);
  const times = { startsMs: startsMs + 20_000, endsMs: startsMs + 1_820_500 };
  expect(standingOf(body, times)).toMatchObject({ startMs: startsMs, endMs: startsMs + 1_800_000 });
});
