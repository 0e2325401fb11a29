import type { ConnectionId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { ownCalendar } from '#providers/registry.ts';
import { keepAccount } from './keep-account.ts';

/** A calendar that Holdfast keeps itself, for a person who has none elsewhere. One for each. */
export function connectOwn(app: App, actor: Actor): Promise<ConnectionId> {
  return keepAccount(
    app,
    actor,
    {
      provider: 'holdfast',
      profile: 'generic',
      label: 'Kept by Holdfast',
      baseUrl: null,
      username: null,
      // there is one of it
      subject: 'holdfast',
      secret: null,
      addresses: [],
    },
    [ownCalendar],
  );
}
