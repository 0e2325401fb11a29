import type { PlannedItem } from '#features/calendar/public.ts';
import type { Pairs } from './load-world.ts';

/** So many blocks are planned in one transaction, about. Only one event may have more (`eventRoom`). */
export const turnBlocks = 4_000;
/** Assumed number of blocks of an expanded series: most are weekly, few are daily. */
const seriesBlocks = 100;

/** Items in turns, by the blocks they may make. */
export function inTurns(items: PlannedItem[], pairs: Pairs): PlannedItem[][] {
  const turns: PlannedItem[][] = [];
  let room = 0;
  for (const item of items) {
    const each = item.body.kind === 'single' ? 1 : seriesBlocks;
    const blocks = pairs
      .ofSource(item.calendarId)
      .reduce((sum, pair) => sum + (pair.series === 'expanded' || pair.rule.hours !== null ? each : 1), 0);
    if (turns.length === 0 || blocks > room) {
      turns.push([]);
      room = turnBlocks;
    }
    turns.at(-1)?.push(item);
    room -= blocks;
  }
  return turns;
}
