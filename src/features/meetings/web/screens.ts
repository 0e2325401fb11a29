import type { Screen } from '#ui/screen.ts';
import { readConsoleSearch } from './console-search.ts';

export const meetingsScreens: readonly Screen[] = [
  {
    path: '/meetings',
    title: 'meetings.title',
    guard: 'user',
    search: readConsoleSearch,
    load: async () => (await import('./meetings-page.tsx')).MeetingsPage,
  },
];
