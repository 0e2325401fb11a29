import type { Output } from '#kernel/contract.ts';
import { decideSlot } from '#kernel/slots/decide-slot.ts';
import { listSlots } from '#kernel/slots/list-slots.ts';
import { nearestSlots } from '#kernel/slots/nearest-slots.ts';
import type { SlotQuestion } from '#kernel/slots/slot-question.ts';
import { dayMs, minuteMs } from '#kernel/time/civil.ts';
import type { App } from '#platform/app.ts';
import { nextTurn } from '#platform/in-slices.ts';
import type { PublicType } from './find-public-type.ts';
import { listWantedTimes } from './list-wanted-times.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import type { slotEndpoints } from './rules/slot-endpoints.ts';
import { isTakenBy } from './rules/slot-refusal.ts';
import type { Time } from './rules/wanted-time.ts';
import { listHeld } from './store/bookings.ts';

type SeriesDate = Output<(typeof slotEndpoints)['listSeriesDates']>['dates'][number];

/** So far around a date another start is looked for. */
const reachMs = 3 * dayMs;
/** Dates within as much are asked about at once. */
const togetherMs = 62 * dayMs - 2 * reachMs;
const mostInstead = 3;

/**
 * Lists the state of each date of a series before it is booked, in order. Earlier dates count toward the limits.
 * `holdId`: the caller's reservation, which blocks none of them. Two or three queries for each two months. *Errors*:
 * AppError invalid with the field `times`.
 */
export async function listSeriesDates(
  app: Pick<App, 'db' | 'clock'>,
  offer: PublicType,
  time: Time,
  { times: count, holdId }: { times: number; holdId: string | null },
): Promise<SeriesDate[]> {
  const { times } = await listWantedTimes(app, offer, time, { times: count });
  const nowMs = app.clock.nowMs();
  const held = holdId === null ? [] : await listHeld(app.db, { id: holdId, eventTypeId: offer.type.id, nowMs });
  const dates: SeriesDate[] = [];
  const chosen: Time[] = [];
  let question: SlotQuestion | null = null;
  for (const date of times) {
    const isBeyond = question !== null && date.startMs >= question.window.endMs;
    if (!isBeyond && (question === null || date.startMs + reachMs >= question.range.endMs)) {
      const range = { startMs: date.startMs - reachMs, endMs: date.startMs + togetherMs + reachMs };
      const durationMinutes = (date.endMs - date.startMs) / minuteMs;
      const loaded = await loadSlotQuestion(app.db, { ...offer, range, durationMinutes, nowMs });
      question = withoutHeld(loaded.question, held);
    }
    await nextTurn();
    const { state, instead } = isBeyond || question === null ? closed : judge(withCounted(question, chosen), date);
    if (state === 'free') chosen.push(date);
    dates.push({ start: date.startMs / minuteMs, state, instead: instead.map((ms) => ms / minuteMs) });
  }
  return dates;
}

const closed = { state: 'closed' as const, instead: [] as number[] };

function judge(question: SlotQuestion, { startMs }: Time): { state: SeriesDate['state']; instead: number[] } {
  const decision = decideSlot(question, startMs);
  if (decision.ok) return { state: 'free', instead: [] };
  const near = listSlots({ ...question, range: { startMs: startMs - reachMs, endMs: startMs + reachMs } });
  const instead = nearestSlots(near, startMs, mostInstead);
  return { state: isTakenBy(decision.reasons) ? 'taken' : 'closed', instead };
}

/** Dates that are booked together count for each other's limits; of a pool it is not known yet whose they are. */
function withCounted(question: SlotQuestion, chosen: readonly Time[]): SlotQuestion {
  if (question.shape === 'round-robin' || chosen.length === 0) return question;
  return {
    ...question,
    hosts: question.hosts.map((host) => ({ ...host, counted: [...(host.counted ?? []), ...chosen] })),
  };
}

type Held = Awaited<ReturnType<typeof listHeld>>[number];

function withoutHeld(question: SlotQuestion, held: readonly Held[]): SlotQuestion {
  if (held.length === 0) return question;
  const ids = new Set<string | undefined>(held.map(({ appointmentId }) => appointmentId));
  const starts = new Set(held.map(({ startMs }) => startMs));
  return {
    ...question,
    hosts: question.hosts.map((host) => ({
      ...host,
      blocks: host.blocks.filter(({ id }) => !ids.has(id)),
      counted: host.counted?.filter(({ startMs }) => !starts.has(startMs)),
    })),
  };
}
