import type { Screen } from '#ui/screen.ts';

export const accountsScreens: readonly Screen[] = [
  {
    path: '/profile',
    title: 'accounts.profile.title',
    guard: 'user',
    load: async () => (await import('./profile-page.tsx')).ProfilePage,
  },
];
