import type { AppointmentId, UserId } from '#kernel/ids.ts';
import type { Database } from '#platform/db.ts';
import { type Candidate, calibrationNow, countedMs } from './rules/choose-host.ts';
import type { TypeHost } from './rules/type-hosts.ts';
import type { EventType } from './store/event-type-rows.ts';
import { countTurns } from './store/pools.ts';

/** The hosts of a pool with what decides between them, now. One query. */
export async function listCandidates(
  db: Database,
  type: Pick<EventType, 'id' | 'hosts'>,
  nowMs: number,
  without: AppointmentId | null = null,
): Promise<(TypeHost & Candidate & { id: UserId })[]> {
  const turns = await countTurns(db, type.id, { sinceMs: nowMs - countedMs, nowMs, without });
  return type.hosts.map((host) => ({
    ...host,
    id: host.userId,
    assigned: turns.get(host.userId)?.count ?? 0,
    lastMs: turns.get(host.userId)?.lastMs ?? null,
    calibration: calibrationNow(host.calibration, host.sinceMs, nowMs),
  }));
}
