import type { Screen } from '#ui/screen.ts';

/** Which team, where somebody is in several. */
const search: NonNullable<Screen['search']> = (raw) => (typeof raw.team === 'string' ? { team: raw.team } : {});

export const teamsScreens: readonly Screen[] = [
  {
    path: '/team',
    title: 'teams.title',
    guard: 'user',
    words: ['booking'],
    search,
    load: async () => (await import('./members/members-page.tsx')).MembersPage,
  },
  {
    path: '/team/calendar',
    title: 'teams.calendar.title',
    guard: 'user',
    search,
    load: async () => (await import('./calendar/team-calendar-page.tsx')).TeamCalendarPage,
  },
  {
    path: '/team/settings',
    title: 'teams.settings.title',
    guard: 'user',
    words: ['booking'],
    search,
    load: async () => (await import('./settings/team-settings-page.tsx')).TeamSettingsPage,
  },
  {
    path: '/team/activity',
    title: 'teams.activity.title',
    guard: 'user',
    search,
    load: async () => (await import('./activity-page.tsx')).ActivityPage,
  },
  {
    path: '/join',
    title: 'teams.join.title',
    guard: 'user',
    search: (raw) => ({ token: typeof raw.token === 'string' ? raw.token : '' }),
    load: async () => (await import('./join-page.tsx')).JoinPage,
  },
];
