import type { BrowserNote } from '#platform/routes.ts';

/** The sealed note by which a browser is known at sign-in. It opens nothing; it keeps a place for its people. */
export interface Device {
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
