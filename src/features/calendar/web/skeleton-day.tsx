import styles from './week-grid.module.css';

/** Grey boxes where a working day usually has events, the same ones every time: nothing here pretends to be data. */
const boxes = [
  [9, 1],
  [11, 0.5],
  [14, 1.5],
] as const;

export function SkeletonDay({ column }: { column: number }) {
  return (
    <div aria-hidden="true">
      {boxes.slice(column % 2).map(([start, length]) => (
        <span
          key={start}
          className={styles.ghost}
          style={{
            top: `calc(${start + (column % 3) / 2} * var(--hf-hour-row))`,
            height: `calc(${length} * var(--hf-hour-row) - 2px)`,
          }}
        />
      ))}
    </div>
  );
}
