import type { ReactNode } from 'react';
import { Banner } from '#ui/banner.tsx';
import styles from './guest-form.module.css';

/** Why something was refused, in a red box that is read out. */
export function Refusal({ children }: { children: ReactNode }) {
  return (
    <Banner state="bad" role="alert">
      <p className={styles.told}>{children}</p>
    </Banner>
  );
}
