import type { Screen } from '#ui/screen.ts';
import { readContactSearch } from './contact-search.ts';

export const contactsScreens: readonly Screen[] = [
  {
    path: '/contacts',
    title: 'contacts.title',
    guard: 'user',
    search: readContactSearch,
    load: async () => (await import('./contacts-page.tsx')).ContactsPage,
  },
];
