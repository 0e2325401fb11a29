import { measureEvents } from '#features/calendar/public.ts';
import { findConnectionById } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Tx } from '#platform/db.ts';
import { takeAllowances } from '#platform/limits.ts';
import type { Step } from './rules/steps.ts';

/** The calendar that the install keeps for a person: no provider limits it. */
export const mostOwn = { events: 20_000, megabytes: 50 } as const;
const megabyte = 1024 * 1024;

/** Edits are kept for a month with the event before and after: so many kilobytes of them a day. One edit is at least one. */
export const changedText = {
  action: 'kilobytes of edits per person',
  burst: 20 * 1024,
  periodSeconds: 86_400,
} as const;

/** *Errors*: AppError limited (TOO_MANY_EDITS, CALENDAR_FULL). */
export async function requireRoom(tx: Tx, userId: UserId, steps: readonly Step[]): Promise<void> {
  const kilobytes = Math.ceil(sizeOf(steps) / 1024);
  const { burst } = changedText;
  const taken = await takeAllowances(tx, { ...changedText, burst: burst / kilobytes }, [userId]);
  if (taken.size === 0) {
    const message = 'Too many events were changed today. This change was not taken; try again later.';
    throw new AppError('limited', 'TOO_MANY_EDITS', message);
  }
  for (const { calendarId, connectionId, before, after } of steps) {
    const added = after === null || before !== null ? 0 : 1;
    const grown = after === null ? 0 : sizeOf(after) - (before === null ? 0 : sizeOf(before));
    if (grown <= 0 || (await findConnectionById(tx, connectionId))?.provider !== 'holdfast') continue;
    const { events, bytes } = await measureEvents(tx, calendarId);
    if (events + added <= mostOwn.events && bytes + grown <= mostOwn.megabytes * megabyte) continue;
    const message = `This calendar has room for ${mostOwn.events} events and ${mostOwn.megabytes} MB of text. Nothing was changed; delete some events.`;
    throw new AppError('limited', 'CALENDAR_FULL', message);
  }
}

const sizeOf = (value: object) => Buffer.byteLength(JSON.stringify(value));
