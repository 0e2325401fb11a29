import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { loadWords, startTranslations } from '#web/i18n.ts';
import { ScreenFrame } from '#web/screen-frame.tsx';
import { NoticeRow } from './notice-row.tsx';

beforeAll(async () => {
  await startTranslations('en');
  await loadWords('inbox');
});
afterEach(cleanup);

const event = (title: string, start: string, end: string) => ({
  event_id: crypto.randomUUID(),
  title,
  calendar: 'Home',
  start_time: start,
  end_time: end,
  day: start.slice(0, 10),
});

test.each([
  ['2026-11-21T10:00:00Z', '2026-11-21T11:00:00Z', /^Sat, Nov 21: All day \(Home\), 10:00 AM – 11:00 AM \(Home\)$/],
  [
    '2026-11-21T00:00:00Z',
    '2026-11-23T00:00:00Z',
    /^Sat, Nov 21: All day \(Home\), Sat, Nov 21 – Sun, Nov 22, All day \(Home\)$/,
  ],
])('a conflict with an event of a whole day says so: %s to %s', async (start, end, text) => {
  const events = [event('Fair', '2026-11-21T00:00:00Z', '2026-11-22T00:00:00Z'), event('Call', start, end)];
  const notice = {
    id: crypto.randomUUID(),
    kind: 'conflict' as const,
    at: '2026-11-20T08:00:00Z',
    read: false,
    over: false,
    details: { events },
  };
  const row = <NoticeRow notice={notice} onOpen={vi.fn()} onMark={vi.fn()} />;
  render(<ScreenFrame at="/" screen={() => <ul>{row}</ul>} />);
  await screen.findByRole('link');
  const lines = screen.getAllByText(/\(Home\)/).map((line) => line.textContent?.replaceAll('\u202f', ' '));
  expect(lines).toEqual([expect.stringMatching(text)]);
});
