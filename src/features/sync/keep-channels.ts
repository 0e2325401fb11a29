import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '#features/connections/public.ts';
import {
  findConnectionById,
  listCalendars,
  loadBaseUrl,
  openAccount,
  recordPush,
} from '#features/connections/public.ts';
import { ProviderError } from '#kernel/errors.ts';
import type { CalendarId, ChannelId, ConnectionId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { hashToken, mintToken } from '#platform/crypto.ts';
import type { PushChannel, PushChannels } from '#providers/port.ts';
import { hookKey } from './hook-key.ts';
import { planChannels, renewalOf } from './rules/channel-plan.ts';
import { channelIdIn, channelSecret } from './rules/channel-secret.ts';
import { hookOriginOf } from './rules/hook-origin.ts';
import type { Channel } from './store/channels.ts';
import {
  deferChannel,
  findChannels,
  forgetChannels,
  insertChannel,
  keepChannel,
  listChannels,
  listWatchable,
} from './store/channels.ts';

const dayMs = 86_400_000;
/** The wait before the next attempt to open a channel, by the provider's error code. */
const waitAfter: Record<string, number> = {
  PUSH_UNSUPPORTED: 7 * dayMs,
  PUSH_URL_REFUSED: 3_600_000,
};
const waitAfterOthersMs = 300_000;

/**
 * Gives every calendar of an account one channel that lives for a while yet, and closes unneeded ones. The state
 * decides: a row is written before the call, the answer after it. A channel of a crashed call is forgotten and opened
 * again.
 */
export async function keepChannels(app: App, connectionId: ConnectionId, signal: AbortSignal): Promise<void> {
  const connection = await findConnectionById(app.db, connectionId);
  if (connection === null || connection.status === 'suspended') return;
  const provider = await openAccount(app, connection);
  const { push } = provider;
  const origin = hookOriginOf(app.config.publicUrl, await loadBaseUrl(app, connection));
  if (push === undefined || connection.status === 'needs-reconnect') return;
  const calendars = await listCalendars(app.db, connection.userId);
  const refOf = new Map(calendars.filter((one) => !one.removed).map((one) => [one.id, one.ref]));
  const watched =
    origin === null || connection.status === 'disconnecting' ? [] : await listWatchable(app.db, connectionId);
  const channels = await listChannels(app.db, connectionId);
  const keeper = new ChannelKeeper(app, connection, push, origin ?? '', signal);
  for (const action of planChannels(
    watched.filter((one) => refOf.has(one.calendarId)),
    channels,
    app.clock.nowMs(),
  )) {
    signal.throwIfAborted();
    switch (action.do) {
      case 'open':
        await keeper.open(action.calendarId, refOf.get(action.calendarId) ?? '');
        break;
      case 'renew':
        await keeper.renew(action.channel, refOf.get(action.channel.calendarId) ?? '');
        break;
      case 'close':
        await keeper.close(action.channel);
        break;
      case 'forget':
        await forgetChannels(app.db, [action.channel.id]);
        break;
    }
  }
  const live = new Set(
    (await listChannels(app.db, connectionId)).flatMap((one) => (one.state === 'live' ? one.calendarId : [])),
  );
  if (await recordPush(app.db, connectionId, [...live])) await app.feed.publish(app.db, connection.userId, 'accounts');
}

class ChannelKeeper {
  readonly #app: App;
  readonly #connection: Connection;
  readonly #push: PushChannels;
  readonly #origin: string;
  readonly #signal: AbortSignal;

  constructor(app: App, connection: Connection, push: PushChannels, origin: string, signal: AbortSignal) {
    this.#app = app;
    this.#connection = connection;
    this.#push = push;
    this.#origin = origin;
    this.#signal = signal;
  }

  async open(calendarId: CalendarId, calendarRef: string, isSecondTry = false): Promise<void> {
    const { db, clock } = this.#app;
    const id = randomUUIDv7() as string as ChannelId;
    const secret = channelSecret(id, mintToken());
    const openedMs = clock.nowMs();
    await insertChannel(db, {
      id,
      calendarId,
      connectionId: this.#connection.id,
      openedMs,
      secretHash: hashToken(secret),
    });
    const path = `${this.#origin}/hooks/${this.#connection.provider}`;
    const key = `?key=${hookKey(this.#app)}`;
    const hook = { id, url: path + key, lifecycleUrl: `${path}/lifecycle${key}`, secret };
    try {
      await this.#keep(id, await this.#push.open(calendarRef, hook, this.#signal));
    } catch (error) {
      await forgetChannels(db, [id]);
      const isTaken = error instanceof ProviderError && error.code === 'PUSH_DUPLICATE';
      if (isTaken && !isSecondTry && (await this.#closeLost(calendarRef)))
        return this.open(calendarId, calendarRef, true);
      await this.#refused(error, calendarId);
    }
  }

  /** One whose opening was never answered stands in the way until it ends: nobody here knows its secret any more. */
  async #closeLost(calendarRef: string): Promise<boolean> {
    try {
      const standing = (await this.#push.listOpen?.(calendarRef, this.#signal)) ?? [];
      const named = standing.flatMap(({ channel, secret }) => {
        const id = channelIdIn(secret);
        return id === null ? [] : [{ channel, id }];
      });
      // another person of this server may have connected the same mailbox
      const known = await findChannels(
        this.#app.db,
        named.map(({ id }) => id),
      );
      const lost = named.filter(({ id }) => !known.some((channel) => channel.id === id));
      for (const { channel } of lost) await this.#push.close(channel, this.#signal);
      return lost.length > 0;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#app.log.info({ connectionId: this.#connection.id, err: error }, 'a lost push channel could not be closed');
      return false;
    }
  }

  async renew(channel: Channel, calendarRef: string): Promise<void> {
    try {
      const renewed = await this.#push.renew(asPushChannel(channel), this.#signal);
      if (renewed === null) await this.open(channel.calendarId, calendarRef);
      else await this.#keep(channel.id, renewed);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'not-found')
        return this.#refused(error, channel.calendarId);
      // the provider lost the channel: the next round opens another
      await forgetChannels(this.#app.db, [channel.id]);
      await this.open(channel.calendarId, calendarRef);
    }
  }

  /** Closes a channel. A channel that cannot be closed expires; its deliveries are unknown from now on and dropped. */
  async close(channel: Channel): Promise<void> {
    try {
      await this.#push.close(asPushChannel(channel), this.#signal);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#app.log.info({ connectionId: this.#connection.id, err: error }, 'a push channel could not be closed');
    }
    await forgetChannels(this.#app.db, [channel.id]);
  }

  async #keep(id: ChannelId, { ref, resource, expiresMs }: PushChannel): Promise<void> {
    const openedMs = this.#app.clock.nowMs();
    await keepChannel(this.#app.db, id, {
      ref,
      resource,
      openedMs,
      expiresMs,
      renewMs: renewalOf(openedMs, expiresMs),
    });
  }

  /** Without a channel the calendar is polled; that is all that happens. */
  async #refused(error: unknown, calendarId: CalendarId): Promise<void> {
    if (!(error instanceof ProviderError)) throw error;
    const { log, db, clock } = this.#app;
    const facts = { connectionId: this.#connection.id, calendarId, code: error.code, err: error };
    if (error.code === 'PUSH_URL_REFUSED') log.error(facts, 'the provider does not accept our address for notices');
    else log.info(facts, 'no push channel for a calendar');
    const waitMs = Math.max(waitAfter[error.code] ?? waitAfterOthersMs, error.retryAfterMs ?? 0);
    await deferChannel(db, calendarId, clock.nowMs() + waitMs);
  }
}

const asPushChannel = ({ ref, resource, expiresMs }: Channel): PushChannel => ({
  ref: ref ?? '',
  resource: resource ?? '',
  expiresMs: expiresMs ?? 0,
});
