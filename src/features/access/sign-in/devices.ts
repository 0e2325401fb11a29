import { randomUUID } from 'node:crypto';
import { recordAccountEvent } from '#features/accounts/public.ts';
import { findUser } from '#features/accounts/users/public.ts';
import type { UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { BrowserNote, RequestFacts } from '#platform/routes.ts';

/** The sealed note by which a browser is known at sign-in. It opens nothing; it keeps a place for its people. */
interface Device {
  id: string;
  userId: string;
}

/** The id of this browser, where this person signed in with it before. */
export function findDevice(note: BrowserNote, userId: string): string | null {
  const text = note.read('device');
  if (text === null) return null;
  const device = JSON.parse(text) as Device;
  return device.userId === userId ? device.id : null;
}

const deviceSeconds = 180 * 86_400;

/** Leaves in this browser who signed in there (`findDevice`). */
export function rememberDevice(note: BrowserNote, userId: string): void {
  const device: Device = { id: findDevice(note, userId) ?? randomUUID(), userId };
  note.leave(JSON.stringify(device), deviceSeconds, 'device');
}

/** Records a failed sign-in in the account log, if the account still exists. */
export async function recordFailedSignIn(
  app: Pick<App, 'db'>,
  userId: UserId | null,
  request: RequestFacts,
): Promise<void> {
  if (userId === null || (await findUser(app.db, userId)) === undefined) return;
  await recordAccountEvent(app.db, { userId, kind: 'sign-in-failed', request, details: { method: 'password' } });
}
