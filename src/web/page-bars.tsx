import { lazy, Suspense } from 'react';

const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));

/** What may come to be said over every screen; nothing of it is, when a page is opened. */
export function PageBars() {
  return (
    <Suspense>
      <Bars />
    </Suspense>
  );
}
