import type { Screen } from '#ui/screen.ts';
import { readGuestSearch } from './guest-search.ts';

export const accessScreens: readonly Screen[] = [
  {
    path: '/login',
    title: 'access.signIn.title',
    guard: 'guest',
    search: readGuestSearch,
    load: async () => (await import('./sign-in-page.tsx')).SignInPage,
  },
  {
    path: '/signup',
    title: 'access.signUp.title',
    guard: 'guest',
    search: readGuestSearch,
    load: async () => (await import('./sign-up-page.tsx')).SignUpPage,
  },
];
