import type { Screen } from '#ui/screen.ts';
import { readConsoleSearch } from './console-search.ts';

export const meetingsScreens: readonly Screen[] = [
  {
    path: '/meetings',
    title: 'meetings.title',
    guard: 'user',
    search: readConsoleSearch,
    load: async () => (await import('./meetings-page.tsx')).MeetingsPage,
  },
];

/** The panel that explains, which any screen opens (`useExplain`); its words are those of `explain`. */
export const loadExplainPanel = async () => (await import('./explain-panel.tsx')).ExplainPanel;
