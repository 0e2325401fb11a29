import { lazy, Suspense } from 'react';

const Bars = lazy(async () => ({ default: (await import('./bars.tsx')).Bars }));

/** Bars that may appear above every screen; none is part of the first load. */
export function PageBars() {
  return (
    <Suspense>
      <Bars />
    </Suspense>
  );
}
