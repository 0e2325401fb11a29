import { useEffect } from 'react';
import { tellHeight } from './tell-height.ts';

/** Tells the site around it how tall the page is. */
export function useFrameHeight(embedded: { origin: string } | null): void {
  useEffect(() => (embedded === null ? undefined : tellHeight(embedded)), [embedded]);
}
