import type { Screen } from '#ui/screen.ts';

export const workflowsScreens: readonly Screen[] = [
  {
    path: '/workflows/connections',
    title: 'channels.title',
    guard: 'user',
    load: async () => (await import('./channels/channels-page.tsx')).ChannelsPage,
  },
  {
    path: '/workflows',
    title: 'workflows.title',
    guard: 'user',
    search: (raw) => ({
      ...(raw.new === '1' || raw.new === 1 ? { new: '1' } : {}),
      ...(typeof raw.team === 'string' ? { team: raw.team } : {}),
      ...(typeof raw.tag === 'string' || typeof raw.tag === 'number' ? { tag: String(raw.tag) } : {}),
    }),
    load: async () => (await import('./workflows-page.tsx')).WorkflowsPage,
  },
  {
    path: '/workflows/$workflowId',
    title: 'workflows.editor.title',
    guard: 'user',
    search: (raw) => (raw.tab === 'log' || raw.tab === 'versions' ? { tab: raw.tab } : {}),
    load: async () => (await import('./workflow-page.tsx')).WorkflowPage,
  },
];
