import { requirePermission } from '#features/teams/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { deleteStandIn, listStandIns } from './store/stand-ins.ts';
import { tellOwner } from './tell-owner.ts';

/** Remove a stand-in. *Errors*: as `requirePermission`. */
export async function removeStandIn(app: App, actor: { userId: UserId }, teamId: TeamId, id: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const found = (await listStandIns(tx, teamId, 0)).find((one) => one.id === id);
    await requirePermission(tx, actor, teamId, found?.userId === actor.userId ? 'see-team' : 'manage-bookings', 'lock');
    await deleteStandIn(tx, teamId, id);
    await tellOwner(app, tx, { userId: null, teamId });
  });
}
