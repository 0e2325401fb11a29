import * as z from 'zod/mini';
import { ProviderError } from '#kernel/errors.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import { printLocalDateTime } from '#kernel/time/local.ts';
import type { PushChannel, PushChannels } from '../port.ts';
import type { RestClient } from '../rest/client.ts';
import { badAnswer } from '../rest/network-failures.ts';
import { askGraph, pagesOf } from './graph.ts';
import { readInstant } from './graph-time.ts';

/** Outlook's longest life of a subscription without resource data. Source: subscription resource type. */
const lifeMs = 10_080 * minuteMs;
/** Clocks differ, and a moment beyond the longest is refused. */
const slackMs = 5 * minuteMs;

const subscription = z.object({
  id: z.string().check(z.minLength(1)),
  resource: z.string(),
  expirationDateTime: z.string(),
  clientState: z.optional(z.nullable(z.string())),
});

/**
 * Graph's subscriptions. Opening one makes Graph call both addresses before it answers. The server must reply with the
 * given token within ten seconds. The header for immutable ids decides which ids the notices carry. *Source*: Create
 * subscription, change-notifications-delivery-webhooks.
 */
export function subscriptionsOf(rest: RestClient, nowMs: () => number): PushChannels {
  const expiry = () => `${printLocalDateTime(nowMs() + lifeMs - slackMs)}Z`;

  return {
    async open(calendarRef, hook, signal) {
      const { json } = await askGraph(rest, {
        operation: 'subscribe',
        method: 'POST',
        target: '/subscriptions',
        body: {
          changeType: 'created,updated,deleted',
          resource: resourceOf(calendarRef),
          notificationUrl: hook.url,
          lifecycleNotificationUrl: hook.lifecycleUrl,
          clientState: hook.secret,
          expirationDateTime: expiry(),
        },
        signal,
      });
      return channelOf(json);
    },

    /** The same call answers a `reauthorizationRequired`. */
    async renew(channel, signal) {
      const { json } = await askGraph(rest, {
        operation: 'renew',
        method: 'PATCH',
        target: pathOf(channel),
        body: { expirationDateTime: expiry() },
        signal,
      });
      return channelOf(json);
    },

    async close(channel, signal) {
      try {
        await askGraph(rest, { operation: 'unsubscribe', method: 'DELETE', target: pathOf(channel), signal });
      } catch (error) {
        if (!(error instanceof ProviderError) || error.kind !== 'not-found') throw error;
      }
    },

    async listOpen(calendarRef, signal) {
      const open: { channel: PushChannel; secret: string }[] = [];
      const first = { operation: 'subscriptions', method: 'GET', target: '/subscriptions', signal } as const;
      for await (const page of pagesOf(rest, first)) {
        for (const row of page.value) {
          const { data } = subscription.safeParse(row);
          if (data?.resource !== resourceOf(calendarRef) || !data.clientState) continue;
          open.push({ channel: channelOf(row), secret: data.clientState });
        }
      }
      return open;
    },
  };
}

const resourceOf = (calendarRef: string) => `me/calendars/${calendarRef}/events`;

function pathOf({ ref }: PushChannel): string {
  return `/subscriptions/${encodeURIComponent(ref)}`;
}

function channelOf(json: unknown): PushChannel {
  const read = subscription.safeParse(json);
  const expiresMs = readInstant(read.data?.expirationDateTime);
  if (!read.success || expiresMs === null) throw badAnswer("it isn't a subscription");
  return { ref: read.data.id, resource: read.data.resource, expiresMs };
}
