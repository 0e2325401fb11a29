import type { Screen } from '#ui/screen.ts';
import { readDashboardSearch } from './dashboard-search.ts';

export const analyticsScreens: readonly Screen[] = [
  {
    path: '/dashboard',
    title: 'analytics.title',
    guard: 'user',
    search: readDashboardSearch,
    load: async () => (await import('./dashboard-page.tsx')).DashboardPage,
  },
];
