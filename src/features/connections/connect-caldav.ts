import { AppError } from '#kernel/errors.ts';
import type { ConnectionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { CaldavProfileName } from '#providers/registry.ts';
import { discoverAccount } from './discover-account.ts';
import { keepAccount } from './keep-account.ts';
import { accountLabel } from './rules.ts';

/** Connects a CalDAV account: finds its calendars, keeps the password sealed, and has sync start reading. */
export async function connectCaldav(
  app: App,
  actor: Actor,
  input: { profile: CaldavProfileName; url: string; username: string; password: string },
): Promise<ConnectionId> {
  const account = await discoverAccount(app, input);
  if (account.calendars.length === 0) {
    throw new AppError(
      'invalid',
      'NO_CALENDARS',
      'The sign-in worked, but this account has no calendar for events. Create one there, then connect again.',
    );
  }
  const addresses = new Set(account.addresses);
  if (input.username.includes('@')) addresses.add(input.username.toLowerCase());
  return keepAccount(
    app,
    actor,
    {
      provider: 'caldav',
      profile: account.profile.name,
      label: accountLabel(input.username, account),
      baseUrl: account.baseUrl,
      username: input.username,
      subject: null,
      secret: input.password,
      addresses: [...addresses],
    },
    account.calendars,
  );
}
