import type { Screen } from '#ui/screen.ts';

export const billingScreens: readonly Screen[] = [
  {
    path: '/billing',
    title: 'billing.title',
    guard: 'user',
    /** How somebody comes back from paying. */
    search: (raw) => (raw.checkout === 'done' || raw.checkout === 'left' ? { checkout: raw.checkout } : {}),
    load: async () => (await import('./billing-page.tsx')).BillingPage,
  },
];
