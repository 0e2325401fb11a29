import type { AppointmentId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { listOverlaps } from './list-overlaps.ts';
import { askQuestions } from './store/questions.ts';
import { listWatched } from './store/watched.ts';

/** Marks the current overlaps of an appointment as accepted, so that its host is not asked about them. */
export async function acceptOverlaps(app: App, tx: Tx, userId: UserId, only: AppointmentId): Promise<void> {
  const nowMs = app.clock.nowMs();
  const overlaps = await listOverlaps(tx, userId, await listWatched(tx, userId, { nowMs, limit: 1, only }), nowMs);
  await askQuestions(tx, overlaps, { nowMs, answered: 'ignore' });
}
