import type { Screen } from '#ui/screen.ts';
import { readCalendarSearch } from './calendar-search.ts';

export const calendarScreens: readonly Screen[] = [
  {
    path: '/calendar',
    title: 'calendar.title',
    guard: 'user',
    search: readCalendarSearch,
    load: async () => (await import('./calendar-page.tsx')).CalendarPage,
  },
];
