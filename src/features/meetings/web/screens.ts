import * as z from 'zod/mini';
import type { Screen } from '#ui/screen.ts';

/** A value that does not fit falls back, so that an old link still opens the console. */
const consoleSearch = z.object({
  status: z.catch(z.optional(z.enum(['created', 'pending', 'failed', 'skipped'])), undefined),
  search: z.catch(z.optional(z.string().check(z.maxLength(200))), undefined),
  page: z.catch(z.optional(z.int().check(z.gte(1), z.lte(99_999))), undefined),
});

export type ConsoleSearch = z.output<typeof consoleSearch>;

export const meetingsScreens: readonly Screen[] = [
  {
    path: '/meetings',
    title: 'meetings.title',
    guard: 'user',
    search: (raw) => consoleSearch.parse(raw),
    load: async () => (await import('./meetings-page.tsx')).MeetingsPage,
  },
];
