import type { Deliveries } from '#emulators/kit/deliveries.ts';
import { guidOf } from './graph-errors.ts';
import { printStamp } from './graph-time.ts';
import { refId } from './item-ids.ts';
import { etagOf } from './present-event.ts';
import type { Changed, Subscription, World } from './world.ts';

/**
 * Notifications that Graph sends on its own. Each call goes through the delivery queue, where a test holds, drops,
 * doubles and reorders. Source: change-notifications-delivery-webhooks, change-notifications-lifecycle-events.
 */

export const lifecycleEvents = ['reauthorizationRequired', 'subscriptionRemoved', 'missed'] as const;
export type LifecycleEvent = (typeof lifecycleEvents)[number];

/** Tells the subscribers of what changed since the last time. */
export function announceChanges(world: World, deliveries: Deliveries, nowMs: number): void {
  for (const change of world.unannounced.splice(0)) {
    for (const subscription of world.subscriptions.values()) {
      if (concerns(subscription, change, nowMs)) announce(world, deliveries, subscription, change, nowMs);
    }
  }
}

function concerns(subscription: Subscription, { mailbox, calendar, entry }: Changed, nowMs: number): boolean {
  const { expiresAtMs, reauthorizeAtMs } = subscription;
  return (
    subscription.mailbox === mailbox.address &&
    (subscription.calendarKey === '' || subscription.calendarKey === calendar.key) &&
    subscription.changeType.split(',').includes(entry.change) &&
    expiresAtMs > nowMs &&
    // An hour without the reauthorisation that was asked for, and the flow stops; what happens then is lost.
    (reauthorizeAtMs === null || nowMs < reauthorizeAtMs + 3_600_000)
  );
}

function announce(
  world: World,
  deliveries: Deliveries,
  subscription: Subscription,
  { mailbox, entry }: Changed,
  nowMs: number,
): void {
  const place = subscription.immutableIds ? null : (entry.event ?? entry.was)!.place;
  const id = refId(mailbox, { key: entry.key, day: null, place });
  const path = `Users/${mailbox.userId}/Events/${id}`;
  const item = {
    id: guidOf(`${subscription.id} ${entry.key} ${nowMs} ${entry.event?.version}`),
    ...identify(subscription, mailbox.tenantId),
    changeType: entry.change,
    resource: path,
    resourceData: {
      '@odata.type': '#Microsoft.Graph.Event',
      '@odata.id': path,
      ...(entry.event ? { '@odata.etag': etagOf(entry.event) } : {}),
      id,
    },
  };
  const health = healthOf(world, subscription.notificationUrl, nowMs);
  // a discarded notification is reported as `missed` later, once the client can receive it
  if (health === 'drop') {
    sendLifecycle(deliveries, subscription, mailbox.tenantId, 'missed', 600_000);
    return;
  }
  const waiting = world.knobs.batchNotifications
    ? deliveries
        .waiting()
        .find(
          ({ url, attempt, channel }) =>
            url === subscription.notificationUrl && attempt === 0 && !channel.startsWith('lifecycle'),
        )
    : undefined;
  if (waiting) {
    const batch = JSON.parse(waiting.body) as { value: unknown[] };
    if (batch.value.length < 100) {
      waiting.body = JSON.stringify({ value: [...batch.value, item] });
      return;
    }
  }
  post(deliveries, subscription.id, subscription.notificationUrl, [item], health === 'slow' ? 600_000 : 0);
}

/** Subscription fields of every notification. */
function identify(subscription: Subscription, tenantId: string): Record<string, unknown> {
  return {
    subscriptionId: subscription.id,
    subscriptionExpirationDateTime: printStamp(subscription.expiresAtMs),
    clientState: subscription.clientState,
    tenantId,
  };
}

export function sendLifecycle(
  deliveries: Deliveries,
  subscription: Subscription,
  tenantId: string,
  lifecycleEvent: LifecycleEvent,
  delayMs = 0,
): void {
  const { lifecycleNotificationUrl } = subscription;
  if (lifecycleNotificationUrl === null) return;
  const item = { lifecycleEvent, ...identify(subscription, tenantId) };
  post(deliveries, `lifecycle ${subscription.id}`, lifecycleNotificationUrl, [item], delayMs);
}

/** A reauthorisation is asked for an hour before the end; a renewal takes back the question for the old end. */
export function scheduleReauthorization(deliveries: Deliveries, subscription: Subscription, nowMs: number): void {
  const old = deliveries
    .waiting()
    .filter(({ channel, dueMs }) => channel === `lifecycle ${subscription.id}` && dueMs > nowMs);
  deliveries.drop(old.map(({ id }) => id));
  const delayMs = subscription.expiresAtMs - 3_600_000 - nowMs;
  if (delayMs > 0) sendLifecycle(deliveries, subscription, 'common', 'reauthorizationRequired', delayMs);
}

export function post(deliveries: Deliveries, channel: string, url: string, value: unknown[], delayMs = 0): void {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  deliveries.enqueue(channel, { method: 'POST', url, headers, body: JSON.stringify({ value }) }, delayMs);
}

/**
 * A receiver is slow where more than 10 % of its answers of the last ten minutes took 3 s, and not served at all where
 * more than 15 % took 10 s, counted from its hundredth notification on.
 */
function healthOf(world: World, url: string, nowMs: number): 'well' | 'slow' | 'drop' {
  const recent = (world.endpoints.get(new URL(url).host) ?? []).filter(({ atMs }) => atMs > nowMs - 600_000);
  if (recent.length < 100) return 'well';
  const share = (ms: number) => recent.filter(({ tookMs }) => tookMs === null || tookMs > ms).length / recent.length;
  if (share(10_000) > 0.15) return 'drop';
  return share(3_000) > 0.1 ? 'slow' : 'well';
}

export function recordAnswer(world: World, url: string, nowMs: number, tookMs: number | null): void {
  const host = new URL(url).host;
  const list = world.endpoints.get(host) ?? [];
  list.push({ atMs: nowMs, tookMs });
  world.endpoints.set(host, list.slice(-1_000));
}

/** 2xx counts as delivered; anything else is tried again with growing pauses for four hours. */
export function retryNotificationAfterMs(status: number | null, attempt: number): number | null {
  if (status !== null && status >= 200 && status < 300) return null;
  const pauseMs = Math.min(10_000 * 2 ** (attempt - 1), 1_800_000);
  let spentMs = 0;
  for (let n = 1; n < attempt; n += 1) spentMs += Math.min(10_000 * 2 ** (n - 1), 1_800_000);
  return spentMs + pauseMs > 4 * 3_600_000 ? null : pauseMs;
}
