import type { Deliveries } from '#emulators/kit/deliveries.ts';
import { type At, announce, change } from './announce.ts';
import { cancel, finalize, isOver, pay, renew } from './billing.ts';
import type { World } from './world.ts';

const day = 86_400;
const incompleteLife = 23 * 3_600;
const noRequest = { id: null, idempotency_key: null };

interface Due {
  at: number;
  act(at: At): void;
}

/** Everything that time brings about until now, each at its own time: trials, periods, retries, what expires. */
export function settle(world: World, deliveries: Deliveries, nowMs: number): void {
  const real = Math.floor(nowMs / 1000);
  const nowOf = (clock: string | null) => (clock === null ? real : (world.clocks.get(clock)?.frozen_time ?? real));
  for (;;) {
    const due = listDue(world, nowOf).sort((a, b) => a.at - b.at)[0];
    if (due === undefined) return;
    due.act({ world, now: due.at, deliveries, request: noRequest });
  }
}

function listDue(world: World, nowOf: (clock: string | null) => number): Due[] {
  const list: Due[] = [];
  for (const subscription of world.subscriptions.values()) {
    if (isOver(subscription) || subscription.status === 'paused') continue;
    const now = nowOf(subscription.test_clock);
    const add = (at: number, act: Due['act']) => at <= now && list.push({ at, act });
    const { trial_end: trialEnd, cancel_at: cancelAt, items, id } = subscription;
    if (subscription.status === 'incomplete') {
      add(subscription.created + incompleteLife, (at) => cancel(at, subscription, 'payment_failed'));
      continue;
    }
    if (subscription.status === 'trialing' && trialEnd !== null && !world.warned.has(id)) {
      add(Math.max(subscription.created, trialEnd - 3 * day), (at) => {
        world.warned.add(id);
        announce(at, 'customer.subscription.trial_will_end', subscription);
      });
    }
    const end = Math.min(...items.data.map((item) => item.current_period_end));
    if (cancelAt !== null && cancelAt <= end) add(cancelAt, (at) => cancel(at, subscription, 'cancellation_requested'));
    else if (subscription.cancel_at_period_end) add(end, (at) => cancel(at, subscription, 'cancellation_requested'));
    else add(end, (at) => renew(at, subscription));
  }
  for (const invoice of world.invoices.values()) {
    const now = nowOf(invoice.test_clock);
    const { automatically_finalizes_at: finalizes, next_payment_attempt: tries } = invoice;
    if (invoice.status === 'draft' && finalizes !== null && finalizes <= now)
      list.push({ at: finalizes, act: (at) => finalize(at, invoice) });
    if (invoice.status === 'open' && tries !== null && tries <= now) {
      list.push({
        at: tries,
        act: (at) => {
          try {
            pay(at, invoice);
          } catch {
            // told by its own event
          }
        },
      });
    }
  }
  for (const session of world.sessions.values()) {
    if (session.status === 'open' && session.expires_at <= nowOf(null))
      list.push({
        at: session.expires_at,
        act: (at) => {
          session.url = null;
          change(at, 'checkout.session.expired', session, { status: 'expired' });
        },
      });
  }
  return list;
}
