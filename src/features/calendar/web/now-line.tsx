import styles from './week-grid.module.css';

/** Where the day is now. Its minute comes with the grid's, so that it and "past" never disagree. */
export function NowLine({ minute, label }: { minute: number; label: string }) {
  return (
    <div className={styles.now} style={{ top: `calc(${minute / 60} * var(--hf-hour-row))` }}>
      <span className="hf-sr-only">{label}</span>
    </div>
  );
}
