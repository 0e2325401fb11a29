import type { Input, Output } from '#kernel/contract.ts';
import { shownText } from '#kernel/text/shown-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { accountsContract } from '../contract.ts';
import { profileTopic, zoneChanged } from '../events.ts';
import { toAccountProfile } from '../rules/profile.ts';
import { getUser, updateUser } from '../store/users.ts';
import { changeAvatar, fetchAvatar } from './avatars.ts';

type ProfileChange = typeof accountsContract.changeProfile;

/**
 * Texts are kept in NFC without spaces around them; an empty one clears. A picture at an address is fetched once and
 * kept here; an address of ours is the picture that is there already.
 *
 * *Errors*: AppError invalid (PICTURE_UNREACHABLE, PICTURE_TYPE, PICTURE_SIZE, PICTURE_BROKEN), limited.
 */
export async function changeProfile(
  app: Pick<App, 'db' | 'feed' | 'fetch'>,
  actor: Actor,
  { name, company, phone, avatarUrl }: Input<ProfileChange>['body'],
): Promise<Output<ProfileChange>> {
  if (avatarUrl === '') await changeAvatar(app, actor, null);
  else if (avatarUrl?.startsWith('https:')) await changeAvatar(app, actor, await fetchAvatar(app, actor, avatarUrl));
  return inTransaction(app.db, async (tx) => {
    await updateUser(tx, actor, { name: tidy(name), company: tidy(company), phone: tidy(phone) });
    await app.feed.publish(tx, actor.userId, profileTopic);
    return toAccountProfile(await getUser(tx, actor), actor);
  });
}

function tidy(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  return shownText(text) || null;
}

type PreferencesChange = typeof accountsContract.changePreferences;

/** Keys that are not given stay; a new zone is announced, as it moves all-day events. */
export function changePreferences(
  app: Pick<App, 'db' | 'feed' | 'news'>,
  actor: Actor,
  body: Input<PreferencesChange>['body'],
): Promise<Output<PreferencesChange>> {
  return inTransaction(app.db, async (tx) => {
    const before = await getUser(tx, actor);
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
    const after = await getUser(tx, actor);
    if (after.zone !== before.zone) await app.news.announce(tx, zoneChanged, { userId: actor.userId });
    await app.feed.publish(tx, actor.userId, profileTopic);
    return toAccountProfile(after, actor);
  });
}
