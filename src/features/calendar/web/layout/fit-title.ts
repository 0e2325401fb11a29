import type { DayBox } from './layout-day.ts';
import type { TextWidths, TitlePart } from './text-width.ts';

/** Where the words of a card stand, px from its top. */
export interface CardText {
  /** 11/13 px instead of 12/14. */
  isSmall: boolean;
  topPx: number;
  widthPx: number;
  /** Whole lines of the title; 0 where other cards leave no room for words. */
  lines: number;
  isCut: boolean;
  /** The time that has room: on a line of its own, or behind the title where the card has one line. */
  time: string | undefined;
  isInLine: boolean;
  /** Lines below the time that have room, and the width of each. */
  facts: { text: string; widthPx: number }[];
}

export interface CardTextOptions {
  title: string;
  /** From the longest to the shortest. */
  times: readonly string[];
  /** Lines below the time. */
  facts: readonly string[];
  /** Width of marks before the title, and at the end of its lines. */
  leadPx: number;
  trailPx: number;
  widths: TextWidths;
}

/** Bar and padding at the start; padding at the end. */
export const padding = { start: 8, end: 3, top: 2 };
const sizes = [
  { font: 'title', linePx: 14 },
  { font: 'small', linePx: 13 },
] as const;
const timePx = 13;
/** A card of less than this has the time behind its title; of less than that, the small font. */
const inLinePx = 30;
const smallPx = 36;
/** A line of a place or of guests is at least so wide. */
const factPx = 60;
const noText = { time: undefined, isInLine: false, facts: [] };
/** Under this no word can be read. */
const leastPx = 20;

/**
 * Finds the room for the words of a card beside and below `over`, what lies on it: the title at the first height where
 * all of it fits, in the larger font if possible; else where most of it fits.
 */
export function fitTitle(card: DayBox, over: readonly DayBox[], options: CardTextOptions): CardText {
  const { widths, title, leadPx } = options;
  const heightPx = card.bottom - card.top;
  const startPx = card.left + padding.start;
  const endPx = card.right - padding.end - options.trailPx;
  const roomAt = (topPx: number, bottomPx: number) => {
    let end = endPx;
    for (const box of over) {
      // A ring of 1.5 px is drawn around what lies on a card.
      if (box.top - 1 < card.top + bottomPx && card.top + topPx < box.bottom + 1) end = Math.min(end, box.left - 3);
    }
    return end - startPx;
  };
  // At the top of a small card another begins right below the first line.
  const starts = [-1, 0, ...over.map((box) => box.bottom + 2 - card.top).sort((a, b) => a - b)];
  let best: CardText = { ...noText, isSmall: true, topPx: 0, widthPx: 0, lines: 0, isCut: true };
  for (const { font, linePx } of heightPx < smallPx ? sizes.slice(1) : sizes) {
    const parts = widths.parts(font, title);
    for (const start of starts) {
      for (let lines = 1; ; lines += 1) {
        const topPx = start < 0 ? topOf(heightPx, lines * linePx) : start;
        if (topPx + lines * linePx > heightPx + 1) break;
        const widthPx = roomAt(topPx, topPx + lines * linePx);
        if (widthPx < leastPx) break;
        const needed = linesOf(parts, leadPx, widthPx);
        const isCut = needed > lines;
        // A word is never divided: one line and an ellipsis.
        if (needed === Number.POSITIVE_INFINITY && lines > 1) break;
        if (isCut && lines * widthPx <= best.lines * best.widthPx) continue;
        best = { ...noText, isSmall: font === 'small', topPx, widthPx, lines, isCut };
        if (!isCut) return withTime(best);
      }
    }
  }
  return withTime(best);

  function withTime(text: CardText): CardText {
    if (text.lines === 0) return text;
    const bottomPx = text.topPx + text.lines * (text.isSmall ? 13 : 14);
    const isInLine = heightPx < inLinePx;
    if (isInLine && (text.lines > 1 || text.isCut)) return { ...text, isInLine };
    const font = text.isSmall ? 'small' : 'title';
    const roomPx = isInLine
      ? text.widthPx - leadPx - widths.of(font, title) - 5
      : bottomPx + timePx <= heightPx
        ? roomAt(bottomPx, bottomPx + timePx)
        : 0;
    const time = options.times.find((one) => widths.of('time', one) + 2 <= roomPx);
    const facts: CardText['facts'] = [];
    let atPx = isInLine ? heightPx : bottomPx + (time === undefined ? 0 : timePx);
    for (const fact of options.facts) {
      const widthPx = atPx + timePx <= heightPx ? roomAt(atPx, atPx + timePx) : 0;
      if (widthPx < factPx) break;
      facts.push({ text: fact, widthPx });
      atPx += timePx;
    }
    return { ...text, isInLine, time, facts };
  }
}

/** In the middle of a card of one line; else near to its top. */
function topOf(heightPx: number, textPx: number): number {
  const middle = (heightPx - textPx) / 2;
  return heightPx < 24 ? middle : Math.min(padding.top, middle);
}

/** Lines that a title takes; without end where a word is wider than a line. */
function linesOf(parts: readonly TitlePart[], leadPx: number, widthPx: number): number {
  let lines = 1;
  let at = leadPx;
  for (const { px, advancePx } of parts) {
    if (at + px > widthPx) {
      if (px > widthPx) return Number.POSITIVE_INFINITY;
      lines += 1;
      at = 0;
    }
    at += advancePx;
  }
  return lines;
}
