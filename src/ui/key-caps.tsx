import { Fragment } from 'react';
import styles from './key-caps.module.css';
import { isMac, keyCaps } from './key-steps.ts';

/** Keys as they look on a keyboard: `mod+k` as ⌘ K or Ctrl K, `g d` as one after the other. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {keyCaps(keys, isMac).map((press, step) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: presses have an order and nothing else
        <Fragment key={step}>
          {step > 0 ? <span className={styles.between}> </span> : null}
          {press.map((cap) => (
            <kbd key={cap} className={styles.cap}>
              {cap}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
