import { listSlots } from '#kernel/slots/list-slots.ts';
import { nearestSlots } from '#kernel/slots/nearest-slots.ts';
import { dayMs } from '#kernel/time/civil.ts';
import type { App } from '#platform/app.ts';
import type { PublicType } from './find-public-type.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { noteRejected } from './note-rejected.ts';
import { isRefusal, RefusedTime, withNearest } from './rules/slot-refusal.ts';
import type { Time } from './rules/wanted-time.ts';

const reachMs = 7 * dayMs;
/** Many lose the same time at the same moment: they are told what one look found. */
const sharedMs = 250;
const mostShared = 100;

type Looks = Map<string, { untilMs: number; found: Promise<number[]> }>;
const looksOf = new WeakMap<App, Looks>();

/** Runs `book`; where the time cannot be had, the refusal names the three nearest that can. */
export async function offerOthers<T>(app: App, offer: PublicType, time: Time, book: () => Promise<T>): Promise<T> {
  try {
    return await book();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const refused = error instanceof RefusedTime ? error.time : time;
    throw withNearest(error, refused.startMs, await listNear(app, offer, refused, error.code === 'SLOT_TAKEN'));
  }
}

function listNear(app: App, offer: PublicType, time: Time, wasOffered: boolean): Promise<number[]> {
  const looks: Looks = looksOf.get(app) ?? new Map();
  looksOf.set(app, looks);
  const nowMs = performance.now();
  const key = [offer.type.id, offer.link?.id, time.startMs, time.endMs, wasOffered].join(' ');
  const known = looks.get(key);
  if (known !== undefined && known.untilMs > nowMs) return known.found;
  const found = wasOffered
    ? noteRejected(app, offer, time).then(() => lookAround(app, offer, time))
    : lookAround(app, offer, time);
  for (const [old, { untilMs }] of looks) if (untilMs <= nowMs || looks.size >= mostShared) looks.delete(old);
  looks.set(key, { untilMs: nowMs + sharedMs, found });
  found.catch(() => looks.delete(key));
  return found;
}

async function lookAround(app: App, { type, link }: PublicType, { startMs, endMs }: Time): Promise<number[]> {
  const { question } = await loadSlotQuestion(app.db, {
    type,
    link,
    range: { startMs: startMs - reachMs, endMs: startMs + reachMs },
    durationMinutes: (endMs - startMs) / 60_000,
    nowMs: app.clock.nowMs(),
  });
  // the refused time may be free again by now, but not for long or not for this guest
  return nearestSlots(
    listSlots(question).filter((ms) => ms !== startMs),
    startMs,
    3,
  );
}
