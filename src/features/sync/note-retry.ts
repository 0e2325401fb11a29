import type { ItemId, MirrorId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { Tx } from '#platform/db.ts';
import { appendAudit } from './store/audit.ts';

/** A person asked for these mirrors to be looked at again: a line in each one's trail. */
export async function noteRetry(
  tx: Tx,
  actor: Actor,
  rows: { id: MirrorId; originItemId: ItemId }[],
  message: string,
): Promise<void> {
  await appendAudit(
    tx,
    rows.map((row) => ({
      userId: actor.userId,
      mirrorId: row.id,
      originItemId: row.originItemId,
      type: 'mirror.retry' as const,
      actor: 'user' as const,
      status: 'pending' as const,
      message,
    })),
  );
}
