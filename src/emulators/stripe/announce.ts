import type { Deliveries } from '#emulators/kit/deliveries.ts';
import { apiVersion, nextId, type StripeEvent, type World } from './world.ts';

/** The moment in which something happens to an account: its time, and who is told. */
export interface At {
  world: World;
  /** Epoch seconds. */
  now: number;
  deliveries: Deliveries;
  /** The request that caused the event; null for changes caused by time. */
  request: StripeEvent['request'];
}

/** Keeps an event with the object as it is now, and sends it to the endpoints that want it. Source: "Event object". */
export function announce(at: At, type: string, object: object, previous?: Record<string, unknown>): void {
  const { world, now, deliveries, request } = at;
  const event: StripeEvent = {
    id: nextId(world, 'evt'),
    object: 'event',
    api_version: apiVersion,
    created: now,
    type,
    data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
    pending_webhooks: 0,
    request,
  };
  const wanting = [...world.endpoints.values()].filter(
    ({ status, enabled_events: wanted }) => status === 'enabled' && wanted.some((one) => one === '*' || one === type),
  );
  event.pending_webhooks = wanting.length;
  world.events.push(event);
  for (const { id, url } of wanting) {
    deliveries.enqueue(id, {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      },
      body: JSON.stringify({ ...event, livemode: false }, null, 2),
    });
  }
}

/** Changes an object and tells what it was before. */
export function change<T extends object>(at: At, type: string, object: T, changes: Partial<T>): void {
  const changed = (Object.keys(changes) as (keyof T)[]).filter(
    (key) => JSON.stringify(object[key]) !== JSON.stringify(changes[key]),
  );
  if (changed.length === 0) return;
  const previous = Object.fromEntries(changed.map((key) => [key, structuredClone(object[key])]));
  Object.assign(object, changes);
  announce(at, type, object, previous);
}
