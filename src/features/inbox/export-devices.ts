import { deviceOf } from '#features/accounts/rules/device.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { listDevices } from './store/devices.ts';

/** Where somebody is sent notices, without what it takes to send them. */
export function exportDevices({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  const load = async () =>
    (await listDevices(db, userId)).map(({ host, userAgent, createdMs }) => ({
      ...deviceOf(userAgent),
      push_service: host,
      since: Temporal.Instant.fromEpochMilliseconds(createdMs).toString(),
    }));
  return [jsonPart('devices.json', load)];
}
