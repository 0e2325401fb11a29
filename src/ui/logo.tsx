import styles from './logo.module.css';

/** Two rounded blocks that click into one: a slot and its mirror. */
export function LogoMark({ size = 24 }: { size?: number }) {
  return (
    <svg className={styles.mark} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect className={styles.back} x="8.5" y="2" width="13.5" height="13.5" rx="4" />
      <rect className={styles.front} x="2" y="8.5" width="13.5" height="13.5" rx="4" />
      <path className={styles.overlap} d="M8.5 12.5a4 4 0 0 1 4-4h3v3a4 4 0 0 1-4 4h-3z" />
    </svg>
  );
}

export function Logo({ name }: { name: string }) {
  return (
    <span className={styles.logo}>
      <LogoMark />
      <span>{name}</span>
    </span>
  );
}
