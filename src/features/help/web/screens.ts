import type { Screen } from '#ui/screen.ts';

export const helpScreens: readonly Screen[] = [
  {
    path: '/help',
    title: 'help.title',
    guard: 'user',
    // the screen that somebody comes from
    search: ({ about }) => (typeof about === 'string' && about.length <= 200 ? { about } : {}),
    load: async () => (await import('./help-page.tsx')).HelpPage,
  },
];

/** Sections of the documentation, for the search of the shell. */
export const loadDocs = async (language: string) => (await import('./read-docs.ts')).readDocs(language);
