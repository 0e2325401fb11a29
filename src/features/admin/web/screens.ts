import type { Screen } from '#ui/screen.ts';

export const adminScreens: readonly Screen[] = [
  {
    path: '/admin/$', // whatever is asked for there, it is the console
    title: 'admin.title',
    guard: 'admin',
    load: async () => (await import('./console-page.tsx')).ConsolePage,
  },
];
