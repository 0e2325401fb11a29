import type * as z from 'zod/mini';
import { findCalendar, isoOf } from '#features/connections/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { warningsShape } from './contract.ts';
import { kept, readingWarning, warningsIn } from './rules/reading-warning.ts';
import { countWarnings, listWarned, type WarnedItem } from './store/warnings.ts';

const mostEvents = 100;
/** The warnings of one event. */
const mostNotes = 20;

/**
 * Warnings from the readings of a calendar, and their effect on busy time; three queries.
 * *Errors*: AppError not-found.
 */
export async function listWarnings(
  app: App,
  actor: Actor,
  calendarId: string,
): Promise<z.output<typeof warningsShape>> {
  const calendar = await findCalendar(app.db, calendarId as CalendarId);
  if (calendar === null || calendar.userId !== actor.userId) {
    throw new AppError('not-found', 'NOT_FOUND', 'Calendar not found.');
  }
  const { id, name, counts, warnings } = calendar;
  const [[total], items] = await Promise.all([
    countWarnings(app.db, [id]),
    listWarned(app.db, id, { nowMs: app.clock.nowMs(), limit: mostEvents }),
  ]);
  return {
    calendar: { id, name },
    events: items.map((item) => ({
      item_id: item.id,
      title: item.title,
      start_time: isoOf(item.startMs),
      all_day: item.allDay,
      effect: effectOf(item, counts),
      notes: notesOf(item.problem),
    })),
    file: warnings.map(readingWarning),
    more: Math.max(0, (total?.count ?? 0) - items.length),
  };
}

function effectOf({ blocks, problem }: WarnedItem, counts: boolean): 'blocks' | 'kept' | 'none' {
  if (!blocks || !counts) return 'none';
  return problem.startsWith(kept) ? 'kept' : 'blocks';
}

function notesOf(problem: string) {
  return warningsIn(problem).slice(0, mostNotes).map(readingWarning);
}
