import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { type Figures, hasBookings } from '../load-figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import { mirroredShare } from '../rules/mirrored-share.ts';
import { dayOf, spanOf, startOf } from '../rules/period.ts';
import { listMirrored, listPrevented } from '../store/read-calendars.ts';

/** Preventions of the period, and how much of the next 30 days is blocked where it shall be. */
export async function showConflicts({ db, question }: Figures) {
  const { scope, period, nowMs, callerId } = question;
  const { zone } = period;
  const next = { startMs: nowMs, endMs: startOf(zone, dayOf(zone, nowMs) + 30) };
  const hasAny = hasBookings(scope);
  const [now, before, mirrored] = await Promise.all([
    hasAny ? listPrevented(db, scope, spanOf(period, zone)) : [],
    hasAny ? listPrevented(db, scope, spanOf(period.previous, zone)) : [],
    scope.teamId === null ? listMirrored(db, callerId, next, nowMs - dayMs) : [],
  ]);
  const ofKind = (wanted: 'rejected' | 'masked') => now.filter(({ kind }) => kind === wanted).length;
  const data = {
    conflicts_prevented: now.length,
    conflicts_last_period: before.length,
    rejected: ofKind('rejected'),
    masked: ofKind('masked'),
    ...mirroredShare(mirrored, next),
  };
  const rows = (): RowOf[] =>
    now.map(({ itemId, recId, kind, atMs, title }) => ({
      kind: 'prevention',
      id: `${itemId}${recId === '' ? '' : ` ${recId}`}`,
      eventId: scope.teamId === null ? eventIdOf(itemId, recId) : null,
      title: scope.teamId === null ? title : null,
      atMs,
      part: kind,
      numerator: 1,
      denominator: 0,
    }));
  return { data, numerator: now.length, denominator: null, rows };
}
