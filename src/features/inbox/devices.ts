import { ECDH, randomUUID } from 'node:crypto';
import { lockUser } from '#features/accounts/public.ts';
import { deviceOf } from '#features/accounts/rules/device.ts';
import type { Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { hashToken } from '#platform/crypto.ts';
import { inTransaction } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { inboxContract, Subscription } from './contract.ts';
import { inboxTopic } from './events.ts';
import { deleteDevice, listDevices, mostDevices, replaceDevice } from './store.ts';

/** The place of a device's sealed subscription, which authenticates it. */
export const devicePlace = (row: string) => ({ table: 'inbox.devices', row, column: 'subscription' });

const changes = { action: 'turning on notifications', burst: 20, periodSeconds: 3_600 };

/**
 * Sends notices to the browser of this session, and no longer to a previous user of the browser.
 * *Errors*: AppError invalid (INVALID_INPUT), forbidden for a program, conflict (TOO_MANY), limited.
 */
export async function updateDevice(
  app: Pick<App, 'db' | 'keyring' | 'feed'>,
  { userId, sessionId, scopes }: Actor,
  subscription: Subscription,
  { userAgent }: RequestFacts,
): Promise<void> {
  if (scopes !== undefined)
    throw new AppError('forbidden', 'FORBIDDEN', 'Turn on notifications from the browser that should receive them.');
  requirePoint(subscription.keys.p256dh);
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
        `You can have notifications on up to ${mostDevices} devices. Remove one you no longer need.`,
      );
    }
    await app.feed.publish(tx, userId, inboxTopic);
  });
}

/** Refuses a key that is not a point of the curve. Every push to it would fail. */
function requirePoint(key: string): void {
  try {
    ECDH.convertKey(key, 'prime256v1', 'base64url');
  } catch {
    throw new AppError('invalid', 'INVALID_INPUT', 'This browser sent an invalid key. Turn notifications on again.');
  }
}

/** Removes a device. Pushes on their way to it are not sent either. *Errors*: AppError not-found. */
export async function removeDevice(app: Pick<App, 'db' | 'feed'>, { userId }: Actor, id: string): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    if (!(await deleteDevice(tx, userId, id)))
      throw new AppError('not-found', 'NOT_FOUND', 'This device was already removed.');
    await app.feed.publish(tx, userId, inboxTopic);
  });
}

/** The devices of a user, newest first, without their push addresses. */
export async function getDevices(
  { db }: Pick<App, 'db'>,
  { userId, sessionId }: Actor,
): Promise<Output<typeof inboxContract.keepDevice>> {
  const devices = await listDevices(db, userId);
  return {
    devices: devices.map((device) => ({
      id: device.id,
      current: device.sessionId === sessionId,
      ...deviceOf(device.userAgent),
      since: device.createdMs,
    })),
  };
}

/** The devices of a user, without their keys and addresses. */
export function exportDevices({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  const load = async () =>
    (await listDevices(db, userId)).map(({ host, userAgent, createdMs }) => ({
      ...deviceOf(userAgent),
      push_service: host,
      since: Temporal.Instant.fromEpochMilliseconds(createdMs).toString(),
    }));
  return [jsonPart('devices.json', load)];
}
