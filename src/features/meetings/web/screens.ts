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
  {
    path: '/meetings/team/$teamId',
    title: 'meetings.team.title',
    guard: 'user',
    search: (raw) => ({
      ...(raw.tab === 'pending' || raw.tab === 'past' || raw.tab === 'ended' ? { tab: raw.tab } : {}),
      ...(typeof raw.booking === 'string' ? { booking: raw.booking } : {}),
    }),
    load: async () => (await import('./team/team-bookings-page.tsx')).TeamBookingsPage,
  },
];

/** The panel that explains, which any screen opens (`useExplain`); its words are those of `explain`. */
export const loadExplainPanel = async () => (await import('./explain/explain-panel.tsx')).ExplainPanel;
