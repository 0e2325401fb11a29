import { loadOwnerZone } from '#features/accounts/public.ts';
import { openHoursReading } from '#features/availability/public.ts';
import { type ExpectedAppointment, listExpected, takenTimeReading } from '#features/booking/public.ts';
import { judgeOverlap } from '#features/booking/rules/judge-overlap.ts';
import { busyTimeReading } from '#features/calendar/public.ts';
import type { UserId } from '#kernel/ids.ts';
import { normalizeSpans, overlaps, type Span, unionSpans } from '#kernel/time/intervals.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, type Tx } from '#platform/db.ts';
import { nextTurn } from '#platform/in-slices.ts';
import { readTogether } from '#platform/reading.ts';
import { recordChange, writeHold } from './holds.ts';
import { type HoldPlan, homeOf, mostHolds, placeOf, planHold, rangeOf } from './rules.ts';
import { type Hold, listAhead, lockHolds, updateHold } from './store.ts';

/** Moves, shrinks or returns a user's holds to fit the current bookings. Idempotent. */
export async function settleHolds(app: App, userId: UserId): Promise<void> {
  const nowMs = app.clock.nowMs();
  if ((await listAhead(app.db, userId, { nowMs, limit: 1 })).length === 0) return;
  await inTransaction(app.db, async (tx) => {
    await lockHolds(tx, userId);
    await settleLocked(app, tx, userId, nowMs);
  });
}

async function settleLocked(app: App, tx: Tx, userId: UserId, nowMs: number): Promise<void> {
  const holds = await listAhead(tx, userId, { nowMs, limit: mostHolds });
  if (holds.length === 0) return;
  const zone = await loadOwnerZone(tx, userId);
  const places = new Map(holds.map((hold) => [hold.id, placeOf(hold)]));
  const ranges = new Map(holds.map((hold) => [hold.id, rangeOf(hold.range, homeOf(hold), zone)]));
  const reach = around([...ranges.values(), ...holds.map(homeOf), ...[...places.values()].filter((at) => at !== null)]);
  const expected = await listExpected(tx, userId, reach);
  const overOf = (hold: Hold) => expected.filter((one) => standsOver(one, hold));
  const unsettled = holds.filter((hold) => {
    const at = places.get(hold.id) ?? null;
    return at === null || at.startMs !== hold.homeStartMs || at.endMs !== hold.homeEndMs
      ? true
      : overOf(hold).some((one) => overlaps(one, at));
  });
  if (unsettled.length === 0) return;
  // the times of the user's own holds come from the holds: their events lag behind
  const items = holds.flatMap(({ itemId }) => itemId ?? []);
  const [busyOf, blocks, [hours]] = await readTogether(tx, [
    busyTimeReading(
      [userId],
      { fromMs: reach.startMs, toMs: reach.endMs },
      { holds: { upTo: 4, nowMs }, withoutItems: items },
    ),
    takenTimeReading([userId], reach, { nowMs }),
    openHoursReading(tx, [{ userId, policy: { kind: 'default' } }], reach, nowMs),
  ]);
  const others = normalizeSpans([...(busyOf.get(userId) ?? []), ...blocks, ...expected]);
  for (const hold of unsettled) {
    await nextTurn();
    const at = places.get(hold.id) ?? null;
    const over = overOf(hold);
    const plan = planHold({
      home: homeOf(hold),
      at,
      range: ranges.get(hold.id) ?? homeOf(hold),
      open: hours?.spans ?? [],
      over,
      taken: unionSpans(others, placesBut(places, hold)),
      nowMs,
    });
    if (plan.kind === 'stay') continue;
    places.set(hold.id, plan.kind === 'gone' ? null : plan.at);
    await carryOut(app, tx, hold, plan, at === null ? undefined : over.find((one) => overlaps(one, at)));
  }
}

/** The slot rules decide whether a booking may replace a hold. A hold that hardened later undoes no booking. */
function standsOver({ settings }: ExpectedAppointment, { calendarId, rank }: Hold): boolean {
  return judgeOverlap({ calendarId, class: 'soft', rank }, settings) === 'overbooked';
}

async function carryOut(
  app: App,
  tx: Tx,
  hold: Hold,
  plan: Exclude<HoldPlan, { kind: 'stay' }>,
  booked: ExpectedAppointment | undefined,
): Promise<void> {
  const to = plan.kind === 'gone' ? null : plan.at;
  const changed = await updateHold(tx, hold.id, {
    state: to === null ? 'gave-way' : 'held',
    startMs: to?.startMs ?? null,
    endMs: to?.endMs ?? null,
  });
  await recordChange(app, tx, changed, plan.kind === 'gone' ? 'gave-way' : plan.kind, {
    from: placeOf(hold),
    to,
    for: booked === undefined ? null : [booked.title, ...booked.guests].join(', '),
  });
  await writeHold(app, tx, changed);
}

function placesBut(places: ReadonlyMap<string, Span | null>, hold: Hold): Span[] {
  return [...places].flatMap(([id, at]) => (id === hold.id || at === null ? [] : [at]));
}

function around(spans: readonly Span[]): Span {
  return {
    startMs: Math.min(...spans.map(({ startMs }) => startMs)),
    endMs: Math.max(...spans.map(({ endMs }) => endMs)),
  };
}
