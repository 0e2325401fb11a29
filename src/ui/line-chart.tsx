import { useRef } from 'react';
import styles from './chart.module.css';
import { useChartCursor } from './chart-cursor.ts';
import { pathThrough, ticksUpTo } from './chart-scale.ts';
import { useWidth } from './chart-width.ts';

export interface ChartLine {
  key: string;
  label: string;
  /** Which of the series colours, 1 to 5; each has a dash of its own too. */
  tone: 1 | 2 | 3 | 4 | 5;
  /** Null where nothing is known. */
  values: readonly (number | null)[];
  /** Read on the right, in another unit. */
  onRight?: boolean;
}

export interface LineChartProps {
  label: string;
  lines: readonly ChartLine[];
  /** Short name of each place, shown below it. */
  names: readonly string[];
  /** Full name of each place. */
  titles: readonly string[];
  valueText: (value: number | null, line: ChartLine) => string;
  height: number;
}

const pad = { left: 34, right: 14, top: 10, bottom: 26 };
const labelPx = 62;

/** Lines over time. Unknown values leave a gap. */
export function LineChart({ label, lines, names, titles, valueText, height }: LineChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame, 640);
  const most = (onRight: boolean) =>
    Math.max(
      0,
      ...lines.filter((line) => (line.onRight ?? false) === onRight).flatMap(({ values }) => values.map((v) => v ?? 0)),
    );
  const hasRight = lines.some(({ onRight }) => onRight);
  const left = ticksUpTo(most(false));
  const right = ticksUpTo(most(true));
  const inner = { x: width - pad.left - (hasRight ? pad.left : pad.right), y: height - pad.top - pad.bottom };
  const xOf = (place: number) => pad.left + (names.length < 2 ? inner.x / 2 : (place / (names.length - 1)) * inner.x);
  const yOf = (value: number, ticks: readonly number[]) => pad.top + inner.y * (1 - value / (ticks.at(-1) ?? 1));
  const pointsOf = ({ values, onRight }: ChartLine) =>
    values.map((value, place) => (value === null ? null : { x: xOf(place), y: yOf(value, onRight ? right : left) }));
  const every = Math.max(1, Math.ceil(names.length / Math.max(1, Math.floor(inner.x / labelPx))));
  const { place, props } = useChartCursor({
    label,
    columns: names.length,
    textOf: (at) =>
      [titles[at] ?? '', ...lines.map((line) => `${line.label} ${valueText(line.values[at] ?? null, line)}`)].join(
        ', ',
      ),
    placeAt: (x) =>
      Math.max(0, Math.min(names.length - 1, Math.round(((x - pad.left) / Math.max(1, inner.x)) * (names.length - 1)))),
  });
  return (
    <div ref={frame} className={styles.chart} style={{ height }} {...props}>
      <svg width={width} height={height} aria-hidden="true" data-picture>
        {left.map((tick) => (
          <g key={tick}>
            <line
              className={styles.rule}
              x1={pad.left}
              x2={width - (hasRight ? pad.left : pad.right)}
              y1={yOf(tick, left)}
              y2={yOf(tick, left)}
            />
            <text className={styles.tick} x={pad.left - 8} y={yOf(tick, left) + 4} textAnchor="end">
              {tick}
            </text>
          </g>
        ))}
        {hasRight
          ? right.map((tick) => (
              <text key={tick} className={styles.tick} x={width - pad.left + 8} y={yOf(tick, right) + 4}>
                {tick}
              </text>
            ))
          : null}
        {names.map((name, at) =>
          at % every === 0 ? (
            <text
              key={titles[at]}
              className={styles.tick}
              x={xOf(at)}
              y={height - 6}
              textAnchor={at === names.length - 1 ? 'end' : 'middle'}
            >
              {name}
            </text>
          ) : null,
        )}
        {lines.map((line) => (
          <g key={line.key} data-tone={line.tone} className={styles.series}>
            <path className={styles.line} d={pathThrough(pointsOf(line))} />
            {pointsOf(line).map((point, at, all) =>
              // alone between gaps, it would be no line at all
              point !== null && (at === place || ((all[at - 1] ?? null) === null && (all[at + 1] ?? null) === null)) ? (
                <circle key={titles[at]} className={styles.dot} cx={point.x} cy={point.y} r={3.5} />
              ) : null,
            )}
          </g>
        ))}
        {place === null ? null : (
          <line className={styles.cursor} x1={xOf(place)} x2={xOf(place)} y1={pad.top} y2={height - pad.bottom} />
        )}
      </svg>
      {place === null ? null : (
        <div
          className={styles.tip}
          data-side={xOf(place) > width / 2 ? 'left' : 'right'}
          style={{ left: xOf(place), top: pad.top }}
          aria-hidden="true"
        >
          <strong>{titles[place]}</strong>
          {lines.map((line) => (
            <span key={line.key} className={styles.tipLine}>
              <LineMark tone={line.tone} />
              <span>{line.label}</span>
              <span className="hf-num">{valueText(line.values[place] ?? null, line)}</span>
            </span>
          ))}
        </div>
      )}
    </div>
  );
}

/** A short piece of a line as it is drawn: colour and dash. */
export function LineMark({ tone }: { tone: ChartLine['tone'] }) {
  return (
    <svg width="18" height="8" aria-hidden="true" className={styles.series} data-tone={tone}>
      <path className={styles.line} d="M1 4H17" />
    </svg>
  );
}

/** The shape of a line beside its figure. */
export function Sparkline({ values, label }: { values: readonly (number | null)[]; label: string }) {
  const most = Math.max(1, ...values.map((value) => value ?? 0));
  const [width, height] = [88, 32];
  // only the shape: the line continues over unknown values
  const points = values.flatMap((value, at) =>
    value === null
      ? []
      : [{ x: 1 + (at / Math.max(1, values.length - 1)) * (width - 2), y: 2 + (height - 4) * (1 - value / most) }],
  );
  return (
    <svg
      width={width}
      height={height}
      role="img"
      aria-label={label}
      className={`${styles.series} ${styles.spark}`}
      data-tone={1}
      data-picture
    >
      <path className={styles.line} d={pathThrough(points)} />
    </svg>
  );
}
