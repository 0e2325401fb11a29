import { isDeepStrictEqual } from 'node:util';
import type { Input } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { checkSettings } from './check-settings.ts';
import type { bookingContract } from './contract.ts';
import { followHours } from './follow-hours.ts';
import { requireTextRoom, shownTexts, slugTaken } from './keep-type.ts';
import { loadType } from './load-type.ts';
import { lockOwner } from './lock-owner.ts';
import { putHosts } from './put-hosts.ts';
import { lockOwn } from './require-own.ts';
import { givenHost } from './rules/host-shapes.ts';
import { countTypeText, type EventType, slugIsTaken, updateType } from './store/event-type-rows.ts';
import { tellOwner } from './tell-owner.ts';
import { withdrawReminders } from './withdraw-reminders.ts';

type TypeChange = Input<typeof bookingContract.changeEventType>['body'];

/**
 * Existing bookings stay as they were booked. A change that changes nothing makes no new version.
 * *Errors*: AppError not-found, forbidden, invalid (`INVALID`), conflict (`STALE`, `SLUG_TAKEN`, `TOO_MANY`).
 */
export async function changeEventType(app: App, actor: Actor, id: EventTypeId, given: TypeChange): Promise<void> {
  const body = { ...given, ...shownTexts(given) };
  const type = await loadType(app.db, actor, id);
  if (changesNothing(type, body)) return;
  await checkSettings(app, type, type.kind, body.settings);
  await inTransaction(app.db, async (tx) => {
    await lockOwn(tx, actor, type);
    await lockOwner(tx, type);
    const had = await countTypeText(tx, type);
    const { version, hosts, ...change } = body;
    const isChanged = await updateType(tx, version, { id, ...change });
    if (!isChanged)
      throw new AppError(
        'conflict',
        'STALE',
        "This event type was changed in another window. Your changes weren't saved. Reload it and try again.",
      );
    await requireTextRoom(tx, type, had);
    const before = type.settings.reminders_minutes;
    await withdrawReminders(app, tx, id, { before, after: change.settings.reminders_minutes });
    if (type.teamId !== null) {
      const { teamId, kind } = type;
      const { quorum } = change.settings;
      await putHosts(app, tx, { id, teamId, kind, quorum }, hosts ?? type.hosts.map(givenHost));
    }
    await followHours(tx, { ...change, id, userId: type.userId });
    await tellOwner(app, tx, type);
  }).catch((error: unknown) => {
    throw slugIsTaken(error) ? slugTaken() : error;
  });
}

function changesNothing(type: EventType, { version, hosts, ...change }: TypeChange): boolean {
  const { slug, title, description, hidden, secret, settings } = type;
  return (
    !type.lacksCalendars &&
    version === type.version &&
    isDeepStrictEqual(change, { slug, title, description, hidden, secret, settings }) &&
    (hosts === undefined || isDeepStrictEqual(hosts, type.hosts.map(givenHost)))
  );
}
