import type { ConnectionId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/sha256.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { discoverFeed } from './discover-feed.ts';
import { keepAccount } from './keep-account.ts';

/** Subscribes to a calendar that is published as a file. Its address is kept sealed: whoever has it can read along. */
export async function connectFeed(app: App, actor: Actor, address: string): Promise<ConnectionId> {
  const { url, calendar } = await discoverFeed(app, address);
  const { origin, host } = new URL(url);
  // the name of a calendar without one ends with its host
  const name = [host, `(${host})`].some((end) => calendar.name.endsWith(end))
    ? calendar.name
    : `${calendar.name} (${host})`;
  return keepAccount(
    app,
    actor,
    {
      provider: 'ics',
      profile: 'generic',
      label: name,
      baseUrl: origin,
      // tells feeds of one publisher apart without telling the address
      username: sha256(url).slice(0, 32),
      subject: null,
      secret: url,
      addresses: [],
    },
    [calendar],
  );
}
