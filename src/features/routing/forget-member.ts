import { forgetHost } from '#features/booking/public.ts';
import type { TeamId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { withoutHost } from './rules/without-host.ts';
import { holdTeamForms, rewriteForm } from './store/form-rows.ts';
import { forgetHostOf, forgetOwnerOf } from './store/submission-rows.ts';
import { tellOwner } from './tell-owner.ts';

/**
 * Nobody is led to somebody who is in the team no more: its forms go on without them. Of a person whose account goes, what
 * was decided before forgets them too. Done twice it comes to the same.
 */
export async function forgetMember(
  app: Pick<App, 'db' | 'clock' | 'feed'>,
  { teamId, userId, why }: { teamId: TeamId; userId: UserId; why: 'left' | 'removed' | 'leaver' },
): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    for (const { id, definition } of await holdTeamForms(tx, teamId)) {
      const without = withoutHost(definition, userId);
      if (without !== definition) await rewriteForm(tx, id, without, app.clock.nowMs());
    }
    if (why === 'leaver') {
      await forgetHostOf(tx, teamId, userId);
      await forgetOwnerOf(tx, teamId, userId);
      await forgetHost(tx, teamId, userId);
    }
    await tellOwner(app, tx, { userId: null, teamId });
  });
}
