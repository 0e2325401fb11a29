import type { RecId, When } from '#kernel/event.ts';
import { type BasicTime, parseBasic, printBasicDate, printBasicDateTime } from '#kernel/time/local.ts';

/**
 * The name of an instance from its original start.
 * *Units*: epoch ms for `zoned`, local ms for `all-day` and `floating`.
 */
export function makeRecId(kind: When['kind'], ms: number): RecId {
  switch (kind) {
    case 'all-day':
      return printBasicDate(ms);
    case 'floating':
      return printBasicDateTime(ms);
    case 'zoned':
      return `${printBasicDateTime(ms)}Z`;
  }
}

/** Reads the name of an instance: its form and its ms (epoch ms for `utc`, else local ms); null when it is none. */
export function parseRecId(recId: RecId): BasicTime | null {
  return parseBasic(recId);
}
