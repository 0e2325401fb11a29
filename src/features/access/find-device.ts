import type { BrowserNote } from '#platform/routes.ts';

/** What a browser keeps, sealed, of who signed in there. It opens nothing; it keeps a place for them at sign-in. */
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
