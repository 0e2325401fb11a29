import { AppError } from '#kernel/errors.ts';
import type { PolicyId } from '#kernel/ids.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { parseLocalDate } from '#kernel/time/local.ts';
import { loadZone } from '#kernel/time/zones.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { noPolicy } from './rules/policy-errors.ts';
import { setDefault } from './store/defaults.ts';
import { findVersion, lockPolicy } from './store/policies.ts';
import { tellChange } from './tell-change.ts';

const farthestMs = 2 * 366 * dayMs;

/** Makes a policy its person's default: now, or when a day begins in its zone. *Errors*: not-found; invalid BAD_DAY. */
export function applyPolicy(
  app: Pick<App, 'db' | 'clock' | 'news' | 'feed'>,
  { userId }: Actor,
  policyId: PolicyId,
  from: string | null,
): Promise<void> {
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    const policy = await lockPolicy(tx, userId, policyId);
    if (policy === null) throw noPolicy();
    const hours = await findVersion(tx, userId, policyId, policy.version);
    const fromMs = from === null ? nowMs : beginOf(from, hours?.timezone ?? 'UTC');
    if (fromMs < nowMs || fromMs > nowMs + farthestMs) throw badDay();
    await setDefault(tx, userId, { policyId, fromMs });
    await tellChange(app, tx, userId);
  });
}

function beginOf(day: string, zone: string): number {
  return loadZone(zone)?.toInstant(parseLocalDate(day) ?? 0) ?? 0;
}

function badDay(): AppError {
  const message = 'Choose a day after today, within two years. Nothing was changed.';
  return new AppError('invalid', 'BAD_DAY', message, { fields: { from: message } });
}
