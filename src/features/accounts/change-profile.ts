import type { Input, Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { accountsContract } from './contract.ts';
import { toAccountProfile } from './rules/profile.ts';
import { loadUser, updateUser } from './store/users.ts';

type Change = typeof accountsContract.changeProfile;

/** Texts are kept in NFC without spaces around them; an empty one clears. */
export async function changeProfile(
  app: Pick<App, 'db'>,
  actor: Actor,
  body: Input<Change>['body'],
): Promise<Output<Change>> {
  await updateUser(app.db, actor, {
    name: tidy(body.name),
    company: tidy(body.company),
    phone: tidy(body.phone),
    avatar_url: tidy(body.avatarUrl),
  });
  return toAccountProfile(await loadUser(app.db, actor));
}

function tidy(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  return text.normalize('NFC').trim() || null;
}
