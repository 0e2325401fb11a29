import { useRef } from 'react';
import styles from './chart.module.css';
import { useChartCursor } from './chart-cursor.ts';
import { useWidth } from './chart-width.ts';

export interface HeatCell {
  /** 0 little to 4 much; none: nothing at all. */
  shade: 'none' | 0 | 1 | 2 | 3 | 4;
  text: string;
}

const left = 36;
const top = 20;
const rowPx = 24;
const gapPx = 3;
const labelPx = 38;

/** Cells in rows, the more the darker. */
export function HeatGrid({
  label,
  rows,
  columns,
  cells,
}: {
  label: string;
  rows: readonly string[];
  columns: readonly string[];
  cells: readonly (readonly HeatCell[])[];
}) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 640);
  const step = (width - left) / columns.length;
  const gap = step < 14 ? 1 : gapPx;
  const every = [1, 2, 3, 4, 6, 8, 12].find((one) => one * step >= labelPx) ?? 24;
  const height = top + rows.length * rowPx;
  const textAt = (place: number) => cells[Math.floor(place / columns.length)]?.[place % columns.length]?.text ?? '';
  const { place, props } = useChartCursor({
    label,
    columns: columns.length,
    rows: rows.length,
    textOf: textAt,
    placeAt: (x, y) => {
      const [column, row] = [Math.floor((x - left) / step), Math.floor((y - top) / rowPx)];
      return column < 0 || row < 0 || column >= columns.length || row >= rows.length
        ? null
        : row * columns.length + column;
    },
  });
  return (
    <div ref={frame} className={styles.chart} style={{ height }} {...props}>
      <svg width={width} height={height} aria-hidden="true" data-picture>
        {columns.map((name, column) =>
          column % every === 0 ? (
            <text key={name} className={styles.tick} x={left + column * step} y={12}>
              {name}
            </text>
          ) : null,
        )}
        {rows.map((name, row) => (
          <g key={name}>
            <text className={styles.tick} x={0} y={top + row * rowPx + 15}>
              {name}
            </text>
            {cells[row]?.map(({ shade }, column) => (
              <rect
                key={columns[column]}
                className={styles.cell}
                data-shade={shade}
                data-under={row * columns.length + column === place || undefined}
                x={left + column * step}
                y={top + row * rowPx}
                width={Math.max(1, step - gap)}
                height={rowPx - gapPx}
                rx={3}
              />
            ))}
          </g>
        ))}
      </svg>
      {place === null ? null : (
        <div
          className={styles.tip}
          data-side={place % columns.length > columns.length / 2 ? 'left' : 'right'}
          style={{
            left: left + ((place % columns.length) + 0.5) * step,
            top: top + Math.floor(place / columns.length) * rowPx,
          }}
          aria-hidden="true"
        >
          {textAt(place)}
        </div>
      )}
    </div>
  );
}

/** Legend of the shades. */
export function HeatLegend({ less, more }: { less: string; more: string }) {
  return (
    <span className={styles.legend}>
      {less}
      {([0, 1, 2, 3, 4] as const).map((shade) => (
        <svg key={shade} width="14" height="14" aria-hidden="true">
          <rect className={styles.cell} data-shade={shade} width="14" height="14" rx="3" />
        </svg>
      ))}
      {more}
    </span>
  );
}
