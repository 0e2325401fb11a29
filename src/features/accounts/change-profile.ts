import type { Input, Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { changeAvatar } from './change-avatar.ts';
import type { accountsContract } from './contract.ts';
import { profileTopic } from './events.ts';
import { fetchAvatar } from './fetch-avatar.ts';
import { toAccountProfile } from './rules/profile.ts';
import { loadUser, updateUser } from './store/users.ts';

type Change = typeof accountsContract.changeProfile;

/**
 * Texts are kept in NFC without spaces around them; an empty one clears. A picture at an address is fetched once and
 * kept here; an address of ours is the picture that is there already.
 *
 * *Errors*: AppError invalid (PICTURE_UNREACHABLE, PICTURE_TYPE, PICTURE_SIZE, PICTURE_BROKEN), limited.
 */
export async function changeProfile(
  app: Pick<App, 'db' | 'feed' | 'fetch'>,
  actor: Actor,
  { name, company, phone, avatarUrl }: Input<Change>['body'],
): Promise<Output<Change>> {
  if (avatarUrl === '') await changeAvatar(app, actor, null);
  else if (avatarUrl?.startsWith('https:')) await changeAvatar(app, actor, await fetchAvatar(app, actor, avatarUrl));
  return inTransaction(app.db, async (tx) => {
    await updateUser(tx, actor, { name: tidy(name), company: tidy(company), phone: tidy(phone) });
    await app.feed.publish(tx, actor.userId, profileTopic);
    return toAccountProfile(await loadUser(tx, actor), actor);
  });
}

function tidy(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  return text.normalize('NFC').trim() || null;
}
