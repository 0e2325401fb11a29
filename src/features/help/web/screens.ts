import type { Screen } from '#ui/screen.ts';

export const helpScreens: readonly Screen[] = [
  {
    path: '/help',
    title: 'help.title',
    guard: 'user',
    load: async () => (await import('./help-page.tsx')).HelpPage,
  },
];
