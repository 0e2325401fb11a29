import { Glyph } from '#features/booking/page/glyph.tsx';
import type { Say } from '#features/booking/rules/fill-words.ts';

/** Drawn, of no meeting of anybody. */
const bars = [26, 40, 34, 58, 46, 70, 62, 84];
const shades = [
  [0, 1, 2, 3, 2, 1, 0],
  [1, 2, 4, 4, 3, 2, 1],
  [0, 2, 3, 4, 4, 1, 0],
  [1, 1, 2, 3, 2, 2, 0],
  [0, 1, 1, 2, 1, 0, 0],
];

export function Insights({ say }: { say: Say }) {
  return (
    <div className="insights">
      <div>
        <h2 id="analytics-title">{say('analytics.title')}</h2>
        <p>{say('analytics.text')}</p>
        <ul className="ticks">
          {(['trends', 'sources', 'insights'] as const).map((name) => (
            <li key={name}>
              <Glyph name="check" />
              {say(`analytics.${name}`)}
            </li>
          ))}
        </ul>
      </div>
      <figure>
        <svg className="charts" viewBox="0 0 520 240" aria-hidden="true">
          <g className="panel">
            <rect x="1" y="1" width="300" height="238" rx="12" />
            <rect x="317" y="1" width="202" height="238" rx="12" />
          </g>
          <path className="rule" d="M24 60h254M24 110h254M24 160h254M24 210h254" />
          {bars.map((height, at) => (
            <rect
              key={height}
              className="bar-of"
              x={32 + at * 31}
              y={210 - height * 1.8}
              width="18"
              height={height * 1.8}
              rx="4"
            />
          ))}
          {shades.flatMap((row, y) =>
            row.map((shade, x) => (
              <rect
                // biome-ignore lint/suspicious/noArrayIndexKey: a picture that never changes
                key={`${x} ${y}`}
                className={`shade-${shade}`}
                x={335 + x * 25}
                y={58 + y * 30}
                width="20"
                height="24"
                rx="4"
              />
            )),
          )}
        </svg>
        <figcaption>{say('analytics.caption')}</figcaption>
      </figure>
    </div>
  );
}
