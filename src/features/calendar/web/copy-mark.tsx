import styles from './event-card.module.css';
import { Glyph } from './glyphs.tsx';
import type { GridEvent } from './grid-event.ts';

type Copies = GridEvent['copies'];

/** Not every block stands as it should. */
export function hasTrouble(copies: Copies): boolean {
  return copies !== undefined && copies.pending + copies.failed > 0;
}

/**
 * How the blocks of an event stand: `3`, `2/3` while some are written, `2/3!` where some failed. The same is spoken in
 * words with the card's details; drawn by the style sheet, so that it is no part of what the card is named by.
 */
export function CopyMark({ copies }: { copies: Copies }) {
  if (copies === undefined) return null;
  const { created, pending, failed } = copies;
  const total = created + pending + failed;
  return (
    <span
      className={styles.copies}
      data-state={failed > 0 ? 'failed' : pending > 0 ? 'pending' : undefined}
      data-copies={`${created === total ? total : `${created}/${total}`}${failed > 0 ? '!' : ''}`}
      aria-hidden="true"
    >
      <Glyph name="link" />
    </span>
  );
}
