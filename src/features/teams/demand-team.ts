import { demandAllowance } from '#features/billing/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { listTeamsOf } from './store/members.ts';

/** One more team that somebody owns, in the transaction that makes it theirs. *Errors*: as `demandAllowance`. */
export function demandTeam(app: Pick<App, 'config' | 'clock'>, tx: Tx, userId: UserId): Promise<void> {
  const count = async () => (await listTeamsOf(tx, userId)).filter(({ role }) => role === 'owner').length;
  return demandAllowance(app, tx, userId, { thing: 'teams', count });
}
