import type { Screen } from '#ui/screen.ts';

export const workflowsScreens: readonly Screen[] = [
  {
    path: '/workflows/connections',
    title: 'channels.title',
    guard: 'user',
    load: async () => (await import('./channels/channels-page.tsx')).ChannelsPage,
  },
];
