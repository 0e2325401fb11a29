import styles from './progress-bar.module.css';

/** How much of a whole is done. */
export function ProgressBar({ label, value, max }: { label: string; value: number; max: number }) {
  const share = max === 0 ? 0 : Math.min(1, value / max);
  return (
    <span
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
    >
      <span className={styles.fill} style={{ transform: `scaleX(${share})` }} />
    </span>
  );
}
