import type { Screen } from '#ui/screen.ts';

const tabs = ['submissions', 'share'];

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
    path: '/routing/fairness',
    title: 'routing.fairness.title',
    guard: 'user',
    search: (raw) => ({
      ...(typeof raw.type === 'string' ? { type: raw.type } : {}),
      ...(raw.days === 90 || raw.days === 365 ? { days: raw.days } : {}),
    }),
    load: async () => (await import('./fairness-page.tsx')).FairnessPage,
  },
  {
    path: '/routing/$formId',
    title: 'routing.editor.title',
    guard: 'user',
    words: ['embed'],
    search: (raw) => (typeof raw.tab === 'string' && tabs.includes(raw.tab) ? { tab: raw.tab } : {}),
    load: async () => (await import('./form-page.tsx')).FormPage,
  },
];
