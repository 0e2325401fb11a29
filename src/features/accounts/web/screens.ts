import * as z from 'zod/mini';
import type { Screen } from '#ui/screen.ts';

/** Where the person wanted to go before they were asked who they are. */
const guestSearch = z.object({ from: z.catch(z.optional(z.string()), undefined) });

export type GuestSearch = z.output<typeof guestSearch>;

export const accountsScreens: readonly Screen[] = [
  {
    path: '/login',
    title: 'accounts.signIn.title',
    guard: 'guest',
    search: (raw) => guestSearch.parse(raw),
    load: async () => (await import('./sign-in-page.tsx')).SignInPage,
  },
  {
    path: '/signup',
    title: 'accounts.signUp.title',
    guard: 'guest',
    search: (raw) => guestSearch.parse(raw),
    load: async () => (await import('./sign-up-page.tsx')).SignUpPage,
  },
  {
    path: '/profile',
    title: 'accounts.profile.title',
    guard: 'user',
    load: async () => (await import('./profile-page.tsx')).ProfilePage,
  },
];
