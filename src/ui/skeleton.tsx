import styles from './skeleton.module.css';

/** A grey bar in the place of what is being fetched; give it the size of the final thing. */
export function Skeleton({ width = '100%', height = 14 }: { width?: number | string; height?: number | string }) {
  return <span className={styles.bar} style={{ width, height }} data-skeleton aria-hidden="true" />;
}

const shapes = [
  ['34%', '18%'],
  ['26%', '22%'],
  ['30%', '15%'],
  ['38%', '20%'],
  ['28%', '16%'],
  ['32%', '24%'],
] as const;

/** Up to six rows as a list or table will have them, with a spoken "Loading". */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {shapes.slice(0, rows).map(([first, second]) => (
        <div key={first} className={styles.row}>
          <Skeleton width={first} />
          <Skeleton width={second} height={10} />
        </div>
      ))}
    </div>
  );
}
