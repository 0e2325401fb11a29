import type { AppointmentId, UserId } from '#kernel/ids.ts';
import { decideSlot } from '#kernel/slots/decide-slot.ts';
import type { App } from '#platform/app.ts';
import type { Database } from '#platform/db.ts';
import type { PublicType } from './find-public-type.ts';
import { loadSlotQuestion } from './load-slot-question.ts';
import { slotRefusal } from './rules/slot-refusal.ts';
import type { Time } from './rules/wanted-time.ts';

/**
 * Whether a time can be booked now, by what is known here: by the rules that offer it. `without`: an appointment that is
 * about to leave its own time.
 * *Errors*: AppError conflict (SLOT_TAKEN, NOT_BOOKABLE).
 */
export async function demandSlot(
  app: Pick<App, 'clock'>,
  db: Database,
  offer: PublicType,
  time: Time,
  without: AppointmentId | null = null,
): Promise<{ hostIds: UserId[]; policyId: string | null; policyN: number | null }> {
  const { type, link } = offer;
  const { question, versions } = await loadSlotQuestion(db, {
    type,
    link,
    range: { startMs: time.startMs, endMs: time.startMs + 1 },
    durationMinutes: (time.endMs - time.startMs) / 60_000,
    nowMs: app.clock.nowMs(),
    without,
  });
  const decision = decideSlot(question, time.startMs);
  if (!decision.ok) throw slotRefusal(decision.reasons);
  const hostIds = decision.hosts as UserId[];
  const allowed = versions.get(type.userId)?.findLast(({ fromMs }) => fromMs <= time.startMs);
  return { hostIds, policyId: allowed?.policyId ?? null, policyN: allowed?.n ?? null };
}
