import { ECDH, randomUUID } from 'node:crypto';
import { lockUser } from '#features/accounts/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import { devicePlace } from './device-place.ts';
import { inboxTopic } from './refresh-notices.ts';
import type { Subscription } from './rules/subscription.ts';
import { mostDevices, replaceDevice } from './store/devices.ts';

const changes = { action: 'turning on notifications', burst: 20, periodSeconds: 3_600 };

/**
 * Notices go to the browser of this session from now on, and to nobody who used it before.
 * *Errors*: AppError invalid (INVALID_INPUT), forbidden for a program, conflict (TOO_MANY), limited.
 */
export async function keepDevice(
  app: Pick<App, 'db' | 'keyring' | 'feed'>,
  { userId, sessionId, scopes }: Actor,
  subscription: Subscription,
  { userAgent }: RequestFacts,
): Promise<void> {
  if (scopes !== undefined)
    throw new AppError(
      'forbidden',
      'FORBIDDEN',
      'Notifications are turned on in a browser, by the person who uses it.',
    );
  demandPoint(subscription.keys.p256dh);
  await takeAllowance(app.db, changes, userId);
  const id = randomUUID();
  await inTransaction(app.db, async (tx) => {
    await lockUser(tx, userId);
    const isKept = await replaceDevice(tx, {
      id,
      userId,
      sessionId,
      subscription: app.keyring.seal(JSON.stringify(subscription), devicePlace(id)),
      endpointHash: hashToken(subscription.endpoint),
      host: new URL(subscription.endpoint).host,
      userAgent: userAgent?.slice(0, 500) ?? null,
    });
    if (!isKept) {
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `You are sent notifications on ${mostDevices} devices already. Remove one that is not needed first.`,
      );
    }
    await app.feed.publish(tx, userId, inboxTopic);
  });
}

/** What is no point of the curve would fail with each notice. */
function demandPoint(key: string): void {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url');
  } catch {
    throw new AppError('invalid', 'INVALID_INPUT', 'The key of this browser is not one. Turn notifications on again.');
  }
}
