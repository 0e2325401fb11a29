import { encode } from 'uqr';
import styles from './qr-code.module.css';

/** Modules of white around it that readers need to find its edges. */
const QUIET = 4;

/** A text as a QR code, drawn here: nobody else gets to see it. Dark on white in both colour schemes, for old readers. */
export function QrCode({ text, label, size = 200 }: { text: string; label: string; size?: number }) {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 0 });
  const side = modules + 2 * QUIET;
  // One path, a stroke for each run of dark modules: many squares show hair lines between them when they are scaled.
  const runs = data.flatMap((row, y) =>
    runsOf(row).map(({ from, length }) => `M${from + QUIET} ${y + QUIET}h${length}v1h-${length}z`),
  );
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={runs.join('')} fill="#000" />
    </svg>
  );
}

function runsOf(row: readonly boolean[]): { from: number; length: number }[] {
  const runs: { from: number; length: number }[] = [];
  row.forEach((dark, at) => {
    if (!dark) return;
    const last = runs.at(-1);
    if (last && last.from + last.length === at) last.length += 1;
    else runs.push({ from: at, length: 1 });
  });
  return runs;
}
