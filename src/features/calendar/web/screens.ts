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

/** Invitations that wait for an answer, for the inbox. */
export const loadInvitations = async () => (await import('./answers/load-invitations.ts')).loadInvitations();
