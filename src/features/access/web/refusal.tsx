import type { ReactNode } from 'react';
import { Banner } from '#ui/banner.tsx';

/** Why something was refused, in a red box that is read out. */
export function Refusal({ children, after }: { children: ReactNode; after?: ReactNode }) {
  return (
    <Banner state="bad" role="alert">
      <p>{children}</p>
      {after}
    </Banner>
  );
}
