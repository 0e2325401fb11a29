import { useRef } from 'react';
import styles from './chart.module.css';
import { useChartCursor } from './chart-cursor.ts';
import { ticksUpTo } from './chart-scale.ts';
import { useWidth } from './chart-width.ts';

export interface Bar {
  key: string;
  /** Below it. */
  name: string;
  value: number;
  text: string;
  /** One of those that stand out. */
  isTop: boolean;
}

const pad = { left: 28, top: 8, bottom: 24 };
const labelPx = 46;

/** Counts side by side. */
export function BarChart({ label, bars, height }: { label: string; bars: readonly Bar[]; height: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 640);
  const ticks = ticksUpTo(Math.max(0, ...bars.map(({ value }) => value)));
  const step = (width - pad.left) / Math.max(1, bars.length);
  const inner = height - pad.top - pad.bottom;
  const yOf = (value: number) => pad.top + inner * (1 - value / (ticks.at(-1) ?? 1));
  const every = Math.max(1, Math.ceil(labelPx / step));
  const { place, props } = useChartCursor({
    label,
    columns: bars.length,
    textOf: (at) => bars[at]?.text ?? '',
    placeAt: (x) => (x < pad.left ? null : Math.min(bars.length - 1, Math.floor((x - pad.left) / step))),
  });
  const under = place === null ? undefined : bars[place];
  return (
    <div ref={frame} className={styles.chart} style={{ height }} {...props}>
      <svg width={width} height={height} aria-hidden="true" data-picture>
        {ticks.map((tick) => (
          <g key={tick}>
            <line className={styles.rule} x1={pad.left} x2={width} y1={yOf(tick)} y2={yOf(tick)} />
            <text className={styles.tick} x={pad.left - 8} y={yOf(tick) + 4} textAnchor="end">
              {tick}
            </text>
          </g>
        ))}
        {bars.map((bar, at) => (
          <g key={bar.key}>
            <rect
              className={styles.bar}
              data-top={bar.isTop || undefined}
              data-under={at === place || undefined}
              x={pad.left + at * step + step * 0.14}
              width={step * 0.72}
              y={yOf(bar.value)}
              height={height - pad.bottom - yOf(bar.value)}
              rx={Math.min(3, step / 6)}
            />
            {at % every === 0 ? (
              <text className={styles.tick} x={pad.left + (at + 0.5) * step} y={height - 6} textAnchor="middle">
                {bar.name}
              </text>
            ) : null}
          </g>
        ))}
      </svg>
      {place === null || under === undefined ? null : (
        <div
          className={styles.tip}
          data-side={place > bars.length / 2 ? 'left' : 'right'}
          style={{ left: pad.left + (place + 0.5) * step, top: 0 }}
          aria-hidden="true"
        >
          {under.text}
        </div>
      )}
    </div>
  );
}
