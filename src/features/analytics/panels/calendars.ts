import { listOpenHours } from '#features/availability/public.ts';
import { eventIdOf } from '#features/calendar/rules/event-view.ts';
import { capabilitiesOf, faceOf } from '#features/connections/public.ts';
import { dayMs, hourMs } from '#kernel/time/civil.ts';
import { nextTurn } from '#platform/in-slices.ts';
import { type Figure, type Figures, hasBookings } from '../figures.ts';
import { addCapacities, type Capacity, capacitiesOf, hoursOf, utilizationOf } from '../rules/capacity.ts';
import type { BookingFact } from '../rules/count-booking.ts';
import type { RowOf } from '../rules/explanation.ts';
import { maskAccount, maskName, pendingSlaMs, scoreAll, scoreCalendar } from '../rules/health.ts';
import { knownSince } from '../rules/known-since.ts';
import { mirroredShare } from '../rules/mirrored-share.ts';
import { type Days, dateOf, dayOf, spanOf, startOf } from '../rules/period.ts';
import { listMirrored, listPrevented, listStates, listTaken } from '../store/read-calendars.ts';

/** How much of open time is booked, host by host. */
export async function getCapacity(figures: Figures) {
  const { db, question } = figures;
  const { period, nowMs, memberIds } = question;
  const { zone } = period;
  const since = knownSince(period, period, nowMs);
  const days = { firstDay: since ?? period.firstDay, endDay: period.endDay };
  const both = { firstDay: period.previous.firstDay, endDay: period.endDay };
  const asked = memberIds.map((userId) => ({ userId, policy: { kind: 'default' } as const }));
  const [open, taken, facts] = await Promise.all([
    listOpenHours(db, asked, spanOf(both, zone), nowMs),
    listTaken(db, memberIds, spanOf(both, zone)),
    figures.starting(),
  ]);
  const takenOf = Map.groupBy(taken, ({ userId }) => userId);
  const bookedOf = new Map(memberIds.map((userId) => [userId, [] as BookingFact[]]));
  for (const fact of facts)
    if (fact.state === 'confirmed') for (const hostId of fact.hostIds) bookedOf.get(hostId)?.push(fact);
  const count = both.endDay - both.firstDay;
  const bounds = Array.from({ length: count + 1 }, (_, n) => startOf(zone, both.firstDay + n));
  let byDay: Capacity[] = bounds.slice(1).map(() => addCapacities([]));
  for (const { userId, spans } of open) {
    await nextTurn();
    const own = { taken: takenOf.get(userId) ?? [], booked: bookedOf.get(userId) ?? [] };
    const ofHost = capacitiesOf(bounds, spans, own);
    byDay = byDay.map((sum, n) => addCapacities([sum, ...ofHost.slice(n, n + 1)]));
  }
  const within = ({ firstDay, endDay }: Days) => byDay.slice(firstDay - both.firstDay, endDay - both.firstDay);
  const isKnown = days.firstDay < days.endDay;
  const now = isKnown ? addCapacities(within(days)) : null;
  // the days before are comparable only where all of them are known
  const isPreviousKnown = knownSince(period.previous, period, nowMs) === null;
  const previous = isPreviousKnown ? utilizationOf(addCapacities(within(period.previous))) : null;
  const utilization = now === null ? null : utilizationOf(now);
  const data = {
    hours_open: now === null ? null : hoursOf(now.openMs),
    hours_available: now === null ? null : hoursOf(now.availableMs),
    hours_booked: now === null ? null : hoursOf(now.bookedMs),
    utilization_pct: utilization,
    previous_pct: previous,
    since: since === null ? null : dateOf(since),
  };
  const rows = (): RowOf[] => {
    if (!isKnown) return [];
    return within(days).map((one, n) => {
      const day = days.firstDay + n;
      return {
        kind: 'day',
        id: dateOf(day),
        title: dateOf(day),
        atMs: startOf(zone, day),
        part: 'hours',
        numerator: one.bookedMs / hourMs,
        denominator: one.availableMs / hourMs,
      };
    });
  };
  return {
    data,
    numerator: now === null ? null : now.bookedMs / hourMs,
    denominator: now === null ? null : now.availableMs / hourMs,
    rows,
  } satisfies Figure<typeof data>;
}

/** Preventions of the period, and how much of the next 30 days is blocked where it shall be. */
export async function getConflicts({ db, question }: Figures) {
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

/** Null for a team: calendars are each person's own. */
export async function getHealth({ db, question: { scope, nowMs, callerId } }: Figures) {
  if (scope.teamId !== null) return { data: null, numerator: null, denominator: null, rows: () => [] };
  const states = await listStates(db, callerId, { nowMs, pendingSlaMs });
  const scored = states.map((state) => {
    const { push, pollSeconds } = capabilitiesOf(state);
    const { isChecked, isTarget, failures, pushLive, ops, failedOps, total, created, pendingYoung } = state;
    const ageSec = state.lastSyncedMs === null ? null : Math.max(0, Math.round((nowMs - state.lastSyncedMs) / 1_000));
    const score = scoreCalendar({
      ageSec,
      pushLive,
      canPush: push,
      pollSec: state.pollSeconds ?? pollSeconds,
      mirrors: { total, created, pendingYoung },
      ops,
      failedOps,
      failures,
      hasAccess: state.status !== 'needs-reconnect',
      isChecked,
      isTarget: isTarget || total > 0,
    });
    return { state, ageSec, isChecked, ...score };
  });
  const data = {
    total_connected: states.length,
    sync_health_score: scoreAll(scored),
    connected_calendars: scored.map(({ state, ageSec, status, score, weight, parts }) => ({
      calendar_id: state.id,
      name: maskName(state.name),
      provider: faceOf(state).word,
      account: maskAccount(state.label),
      status,
      last_sync_sec: ageSec,
      score,
      weight,
      parts,
    })),
  };
  const rows = (): RowOf[] =>
    scored.map(({ state, status, score, weight }) => ({
      kind: 'calendar',
      id: state.id,
      title: maskName(state.name),
      atMs: state.lastSyncedMs,
      part: status,
      numerator: score * weight,
      denominator: weight,
    }));
  const sum = (of: 'numerator' | 'denominator') => rows().reduce((all, row) => all + row[of], 0);
  return { data, numerator: sum('numerator'), denominator: sum('denominator'), rows };
}
