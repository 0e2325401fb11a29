import type { Figures } from '../load-figures.ts';
import { knownSince } from '../rules/known-since.ts';
import { meetingRows } from '../rules/meeting-rows.ts';
import { sourcesOf } from '../rules/met-people.ts';
import { dateOf, spanOf } from '../rules/period.ts';
import { listSourced } from './list-sourced.ts';

/** Where meetings come from. */
export async function showSources(figures: Figures) {
  const { scope, period, nowMs } = figures.question;
  const [now, before] = await Promise.all([
    listSourced(figures, spanOf(period, period.zone)),
    listSourced(figures, spanOf(period.previous, period.zone)),
  ]);
  const since = scope.teamId === null ? knownSince(period, period, nowMs) : null;
  const isPreviousKnown = scope.teamId !== null || knownSince(period.previous, period, nowMs) === null;
  const data = {
    sources: sourcesOf(now),
    total: now.length,
    previous_total: isPreviousKnown ? before.length : null,
    since: since === null ? null : dateOf(since),
  };
  return { data, numerator: now.length, denominator: null, rows: () => meetingRows(now, ({ source }) => source) };
}
