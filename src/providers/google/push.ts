import { ProviderError } from '#kernel/errors.ts';
import type { PushChannel, PushChannels } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { eventsOf, send } from './requests.ts';
import { readChannel } from './resource.ts';

/** Google's own default; it may give less. */
const wantedSeconds = 604_800;

/**
 * Notices of changes. The first one (`sync`) may arrive before the answer to `open`; a channel cannot be renewed.
 * Source: Google Calendar API, "Push notifications" (2026-04-01), Channels: stop.
 */
export function googlePush(rest: RestClient): PushChannels {
  return {
    async open(calendarRef, hook, signal) {
      const { json } = await send(rest, {
        operation: 'events.watch',
        method: 'POST',
        target: `${eventsOf(calendarRef)}/watch`,
        body: {
          id: hook.id,
          type: 'web_hook',
          address: hook.url,
          token: hook.secret,
          params: { ttl: String(wantedSeconds) },
        },
        signal,
      });
      const channel = readChannel(json);
      const expiresMs = Number(channel?.expiration ?? Number.NaN);
      if (channel === null || !Number.isFinite(expiresMs)) throw badAnswer("it isn't a notification channel");
      return { ref: channel.id, resource: channel.resourceId, expiresMs };
    },

    renew: () => Promise.resolve(null),

    async close({ ref, resource }: PushChannel, signal) {
      try {
        await send(rest, {
          operation: 'channels.stop',
          method: 'POST',
          target: '/channels/stop',
          body: { id: ref, resourceId: resource },
          signal,
        });
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'not-found') throw error;
      }
    },
  };
}
