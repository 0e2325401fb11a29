import type { Screen } from '#ui/screen.ts';
import { readConsoleSearch } from './sections.ts';

export const adminScreens: readonly Screen[] = [
  {
    path: '/admin/$', // whatever is asked for there, it is the console
    title: 'admin.title',
    guard: 'admin',
    search: readConsoleSearch,
    load: async () => (await import('./console-page.tsx')).ConsolePage,
  },
];
