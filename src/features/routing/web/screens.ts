import type { Screen } from '#ui/screen.ts';

export const routingScreens: readonly Screen[] = [
  {
    path: '/routing',
    title: 'routing.title',
    guard: 'user',
    search: (raw) => ({
      ...(raw.new === '1' || raw.new === 1 ? { new: '1' } : {}),
      ...(typeof raw.team === 'string' ? { team: raw.team } : {}),
    }),
    load: async () => (await import('./routing-page.tsx')).RoutingPage,
  },
  {
    path: '/routing/$formId',
    title: 'routing.editor.title',
    guard: 'user',
    words: ['embed'],
    search: (raw) => (raw.tab === 'share' ? { tab: 'share' } : {}),
    load: async () => (await import('./form-page.tsx')).FormPage,
  },
];
