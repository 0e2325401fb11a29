import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { planAgain } from './plan-again.ts';
import type { SyncSettings } from './rules/sync-settings.ts';
import { loadGroups } from './store/groups.ts';
import { loadSettings, writeSettings } from './store/settings.ts';

/** Saves a person's sync settings. A changed window is replanned at once. */
export async function changeSettings(app: App, actor: Actor, settings: SyncSettings): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const before = await loadSettings(tx, actor.userId);
    await writeSettings(tx, actor.userId, settings);
    if (before.pastDays === settings.pastDays && before.futureDays === settings.futureDays) return;
    const { members } = await loadGroups(tx, actor.userId);
    const calendarIds = members.map((member) => member.calendarId);
    await planAgain(app, tx, actor, calendarIds, 'Mirror window changed.');
  });
}
