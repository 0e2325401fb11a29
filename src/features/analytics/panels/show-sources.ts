import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import type { Figures } from '../load-figures.ts';
import type { RowOf } from '../rules/explanation.ts';
import { knownSince } from '../rules/known-since.ts';
import { sourcesOf } from '../rules/met-people.ts';
import { type Days, dateOf, spanOf } from '../rules/period.ts';
import { listMeetings } from '../store/read-meetings.ts';
import { sourceOf } from './source-of.ts';

/** Where meetings come from. */
export async function showSources(figures: Figures) {
  const { db, question } = figures;
  const { scope, period } = question;
  const list = async (days: Days) =>
    (await listMeetings(db, scope, spanOf(days, period.zone)))
      .map((meeting) => ({ ...meeting, source: sourceOf(meeting) }))
      .filter(({ source }) => scope.source === null || source === scope.source);
  const [now, before] = await Promise.all([list(period), list(period.previous)]);
  const since = scope.teamId === null ? knownSince(period, period, question.nowMs) : null;
  const isPreviousKnown = scope.teamId !== null || knownSince(period.previous, period, question.nowMs) === null;
  const data = {
    sources: sourcesOf(now),
    total: now.length,
    previous_total: isPreviousKnown ? before.length : null,
    since: since === null ? null : dateOf(since),
  };
  const rows = (): RowOf[] =>
    now.map(({ key, startMs, title, source, bookingId, itemId, recId }) => ({
      kind: 'meeting',
      id: `${key} ${startMs}`,
      bookingId,
      eventId: bookingId === null && itemId !== null ? eventIdOf(itemId, recId) : null,
      title,
      atMs: startMs,
      part: source,
      numerator: 1,
      denominator: 0,
    }));
  return { data, numerator: now.length, denominator: null, rows };
}
