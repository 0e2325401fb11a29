import styles from './chart.module.css';

export interface DonutPart {
  key: string;
  value: number;
  color: string;
}

const turn = 100;

/** Parts of a whole as a ring, with the whole in its middle. The names of the parts are beside it. */
export function DonutChart({
  parts,
  label,
  middle,
  under,
}: {
  parts: readonly DonutPart[];
  label: string;
  middle: string;
  under: string;
}) {
  const drawn = parts.filter(({ value }) => value > 0);
  const total = drawn.reduce((sum, { value }) => sum + value, 0);
  const gap = drawn.length > 1 ? 1 : 0;
  let before = 0;
  const arcs = drawn.map((part) => {
    const share = (turn * part.value) / total;
    const arc = { ...part, share, before };
    before += share;
    return arc;
  });
  return (
    <svg
      width="148"
      height="148"
      viewBox="0 0 148 148"
      role="img"
      aria-label={label}
      className={styles.ring}
      data-picture
    >
      <circle className={styles.track} cx="74" cy="74" r="60" />
      <g className={styles.turning}>
        {arcs.map(({ key, color, share, before: from }) => (
          <circle
            key={key}
            className={`${styles.arc} hf-mark`}
            cx="74"
            cy="74"
            r="60"
            pathLength={turn}
            stroke={color}
            strokeDasharray={`${Math.max(0.5, share - gap)} ${turn - Math.max(0.5, share - gap)}`}
            strokeDashoffset={-from}
            transform="rotate(-90 74 74)"
          />
        ))}
      </g>
      <text className={styles.middle} x="74" y="76" textAnchor="middle">
        {middle}
      </text>
      <text className={styles.under} x="74" y="94" textAnchor="middle">
        {under}
      </text>
    </svg>
  );
}

/** A score of a hundred as a ring. */
export function ScoreRing({ score, tone, label }: { score: number; tone: 'ok' | 'warn' | 'bad'; label: string }) {
  return (
    <svg width="84" height="84" viewBox="0 0 84 84" role="img" aria-label={label} className={styles.ring} data-picture>
      <circle className={styles.scoreTrack} cx="42" cy="42" r="36" />
      {score === 0 ? null : (
        <circle
          className={`${styles.score} hf-mark`}
          data-tone={tone}
          cx="42"
          cy="42"
          r="36"
          pathLength={turn}
          strokeDasharray={`${score} ${turn - score}`}
          transform="rotate(-90 42 42)"
        />
      )}
      <text className={styles.middle} x="42" y="49" textAnchor="middle">
        {score}
      </text>
    </svg>
  );
}
