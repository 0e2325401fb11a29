import type { Input, Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { accountsContract } from './contract.ts';
import { profileTopic, zoneChanged } from './events.ts';
import { toAccountProfile } from './rules/profile.ts';
import { loadUser, updateUser } from './store/users.ts';

type Change = typeof accountsContract.changePreferences;

/** Keys that are not given stay; a new zone is announced, as it moves all-day events. */
export function changePreferences(
  app: Pick<App, 'db' | 'feed' | 'news'>,
  actor: Actor,
  body: Input<Change>['body'],
): Promise<Output<Change>> {
  return inTransaction(app.db, async (tx) => {
    const before = await loadUser(tx, actor);
    const { timezone, locale, weekends, theme, density, notifications } = body;
    await updateUser(
      tx,
      actor,
      {
        zone: timezone,
        locale,
        time_format: body.timeFormat,
        date_format: body.dateFormat,
        week_start: body.weekStart,
        weekends,
        week_numbers: body.weekNumbers,
        more_zones: body.moreZones,
        theme,
        density,
        hide_email: body.hideEmail,
      },
      notifications,
    );
    const after = await loadUser(tx, actor);
    if (after.zone !== before.zone) await app.news.announce(tx, zoneChanged, { userId: actor.userId });
    await app.feed.publish(tx, actor.userId, profileTopic);
    return toAccountProfile(after, actor);
  });
}
