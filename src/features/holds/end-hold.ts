import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { noteHold } from './note-hold.ts';
import { homeOf, placeOf } from './settle-holds.ts';
import { type Hold, updateHold } from './store/holds.ts';
import { writeHold } from './write-hold.ts';

/** A hold ends, and its event goes if it still stands. The caller has locked its person's. */
export async function endHold(app: App, tx: Tx, hold: Hold, to: 'released' | 'removed'): Promise<Hold> {
  const at = placeOf(hold) ?? homeOf(hold);
  const ended = await updateHold(tx, hold.id, { state: to, ...at, endedMs: app.clock.nowMs() });
  await noteHold(app, tx, ended, to, { from: at });
  await writeHold(app, tx, ended);
  return ended;
}
