import type { Screen } from '#ui/screen.ts';

export const connectionsScreens: readonly Screen[] = [
  {
    path: '/integrations',
    title: 'connections.title',
    guard: 'user',
    load: async () => (await import('./integrations-page.tsx')).IntegrationsPage,
  },
];
