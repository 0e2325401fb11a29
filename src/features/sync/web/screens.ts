import type { Screen } from '#ui/screen.ts';

export const syncScreens: readonly Screen[] = [
  {
    path: '/integrations/mirrors',
    title: 'sync.title',
    guard: 'user',
    load: async () => (await import('./mirrors-page.tsx')).MirrorsPage,
  },
];
