import { loadOwnerZone } from '#features/accounts/public.ts';
import { listOverbooked } from '#features/booking/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { holdsContract } from './contract.ts';
import { mostHolds } from './settle-holds.ts';
import { showHold } from './show-hold.ts';
import { listAhead } from './store/holds.ts';

/** What a person keeps, and what of theirs was booked over; three queries. */
export async function listHolds(app: App, { userId }: Actor): Promise<Output<typeof holdsContract.listHolds>> {
  const nowMs = app.clock.nowMs();
  const [zone, holds, overbooked] = await Promise.all([
    loadOwnerZone(app.db, userId),
    listAhead(app.db, userId, { nowMs, limit: mostHolds }),
    listOverbooked(app, userId),
  ]);
  return { holds: holds.map((hold) => showHold(hold, zone, nowMs)), overbooked };
}
