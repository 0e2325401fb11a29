import { deviceOf } from '#features/accounts/rules/device.ts';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { inboxContract } from './contract.ts';
import { listDevices } from './store/devices.ts';

/** Where somebody is sent notices, the newest first; never the addresses. */
export async function showDevices(
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
