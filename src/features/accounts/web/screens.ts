import type { Screen } from '#ui/screen.ts';
import { readGuestSearch } from './guest-search.ts';

export const accountsScreens: readonly Screen[] = [
  {
    path: '/login',
    title: 'accounts.signIn.title',
    guard: 'guest',
    search: readGuestSearch,
    load: async () => (await import('./sign-in-page.tsx')).SignInPage,
  },
  {
    path: '/signup',
    title: 'accounts.signUp.title',
    guard: 'guest',
    search: readGuestSearch,
    load: async () => (await import('./sign-up-page.tsx')).SignUpPage,
  },
  {
    path: '/profile',
    title: 'accounts.profile.title',
    guard: 'user',
    load: async () => (await import('./profile-page.tsx')).ProfilePage,
  },
];
