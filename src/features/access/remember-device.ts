import { randomUUID } from 'node:crypto';
import type { BrowserNote } from '#platform/routes.ts';
import { type Device, findDevice } from './find-device.ts';

const deviceSeconds = 180 * 86_400;

/** Leaves in this browser who signed in there (`findDevice`). */
export function rememberDevice(note: BrowserNote, userId: string): void {
  const device: Device = { id: findDevice(note, userId) ?? randomUUID(), userId };
  note.leave(JSON.stringify(device), deviceSeconds, 'device');
}
