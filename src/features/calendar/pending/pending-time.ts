import { loadOwnerZone } from '#features/accounts/public.ts';
import { listHoldRules } from '#features/availability/public.ts';
import { holdRankIn, type Rank } from '#features/availability/rules/hold-rules.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { EventBody } from '#kernel/event.ts';
import { masterOf } from '#kernel/event.ts';
import type { CalendarId, EditId, ItemId, UserId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import type { Tx } from '#platform/db.ts';
import { type Reading, spansOf } from '../rules/materialise.ts';
import { tooDense } from '../rules/span-room.ts';
import { spanWindow } from '../rules/span-window.ts';
import { deletePending, insertPending, type PendingSpan } from '../store/pending-spans.ts';

/** An event as an unwritten edit wants it. */
interface PendingEvent {
  itemId: ItemId;
  calendarId: CalendarId;
  body: EventBody;
}

/**
 * Counts the time of these events as busy until the edit is settled. The time that the events had before counts too, until
 * the calendar has the new one. Replaces what this edit had. `hold`: the rank of a hold that is being made.
 */
export async function keepPendingTime(
  tx: Tx,
  owner: { editId: EditId; userId: UserId },
  events: readonly PendingEvent[],
  { nowMs, hold }: { nowMs: number; hold: Rank | null },
): Promise<void> {
  await deletePending(tx, owner.editId);
  if (events.length === 0) return;
  const [calendars, ownerZone, rules] = [
    await listCalendars(tx, owner.userId),
    await loadOwnerZone(tx, owner.userId),
    await listHoldRules(tx, owner.userId),
  ];
  const spans = events.flatMap((event) => {
    const calendar = calendars.find(({ id }) => id === event.calendarId);
    if (calendar === undefined) return [];
    const holdRank = hold === null ? holdRankIn(rules, event.calendarId, event.itemId) : () => hold;
    return spansIn(event, { calendarZone: calendar.zone, ownerZone, holdRank }, nowMs);
  });
  await insertPending(tx, owner, spans);
}

/** A written, failed, or withdrawn edit takes no time. */
export const dropPendingTime = deletePending;

/**
 * No query expands a waiting series later, and its rows stay while the window of the index moves on. They go three years
 * ahead.
 */
const aheadMs = 3 * 366 * dayMs;

/** None for a series that is too dense: it has none in the index either. */
function spansIn({ itemId, calendarId, body }: PendingEvent, reading: Reading, nowMs: number): PendingSpan[] {
  const title = masterOf(body)?.core.title ?? null;
  const window = spanWindow(nowMs);
  const read = (toMs: number) => spansOf(body, 'foreign', reading, { ...window, toMs }, new WorkBudget(readingLimits));
  try {
    const far = read(nowMs + aheadMs);
    const { spans } = far.problem === tooDense ? read(window.toMs) : far;
    return spans.flatMap(({ class: busyClass, startMs, endMs, recId, allDay, rank }) =>
      (busyClass === 'busy' || busyClass === 'soft') && startMs < endMs
        ? [{ itemId, calendarId, title, class: busyClass, startMs, endMs, recId, allDay, rank }]
        : [],
    );
  } catch (error) {
    if (error instanceof WorkLimitError) return [];
    throw error;
  }
}
