import { IconCheck } from '@tabler/icons-react';
import styles from './stepper.module.css';

/** Where one is in a short sequence. `current` counts from 0. */
export function Stepper({ label, steps, current }: { label: string; steps: readonly string[]; current: number }) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {steps.map((step, at) => (
        <li
          key={step}
          className={styles.step}
          data-state={at < current ? 'done' : at === current ? 'current' : 'ahead'}
          aria-current={at === current ? 'step' : undefined}
        >
          <span className={styles.number} aria-hidden="true">
            {at < current ? <IconCheck size={13} stroke={2.6} /> : at + 1}
          </span>
          <span className={styles.name}>{step}</span>
        </li>
      ))}
    </ol>
  );
}
