import type { Screen } from '#ui/screen.ts';

export const availabilityScreens: readonly Screen[] = [
  {
    path: '/availability',
    title: 'availability.title',
    guard: 'user',
    load: async () => (await import('./availability-page.tsx')).AvailabilityPage,
  },
];
