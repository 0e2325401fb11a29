import { AppError } from '#kernel/errors.ts';
import type { PolicyId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { savePolicy } from './save-policy.ts';
import { findVersion } from './store/policies.ts';

/** A new version that says what version `to` said: what was between them stays to be read. */
export async function rollBackPolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  actor: Actor,
  policyId: PolicyId,
  { version, to }: { version: number; to: number },
): Promise<void> {
  const old = await findVersion(app.db, actor.userId, policyId, to);
  if (old === null) throw new AppError('not-found', 'NOT_FOUND', 'There is no such version.');
  await savePolicy(app, actor, policyId, { version, name: null, hours: old, note: `As version ${to}` });
}
