import { type Clock, createClock } from '#emulators/kit/clock.ts';
import { createControl } from '#emulators/kit/control.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { createEmulator, type Machine } from '#emulators/kit/emulator.ts';
import { pickFault } from '#emulators/kit/fault-table.ts';
import type { At } from './announce.ts';
import { answer, classify, routes } from './answer.ts';
import { completeSession, type Payment } from './checkout.ts';
import { deleteCustomer } from './customers.ts';
import { faults, groupsOf } from './fault-catalogue.ts';
import { actInPortal, type PortalDeed } from './portal.ts';
import { settle } from './settle.ts';
import { signPayload } from './sign.ts';
import {
  createWorld,
  type Fate,
  type Invoice,
  type Knobs,
  type StripeEvent,
  type Subscription,
  type World,
} from './world.ts';

export interface SeedCommand {
  secretKey: string;
  restrictedKey?: string;
}

/** Actions of people on Stripe's pages, in its dashboard, or at their bank. */
export type ActCommand =
  | ({ do: 'pay'; session: string } & Payment)
  | { do: 'portal'; session: string; deed: PortalDeed }
  | { do: 'bank'; card: string; fate: Fate }
  | { do: 'delete-customer'; customer: string };

export interface StripeDialect {
  seed: SeedCommand;
  act: ActCommand;
  /** Why it did not work; null where it did. */
  acted: { problem: string | null };
  snapshot: { subscriptions: Subscription[]; invoices: Invoice[]; events: StripeEvent[] };
  knobs: Knobs;
}

/** Three days of attempts, each later than the one before. Source: "Webhooks", automatic retries. */
const retryMinutes = [1, 5, 30, 120, 300, 600, 600, 720, 720, 720, 720];

/** An emulated Stripe: customers, prices, checkout, subscriptions, invoices, the portal, and signed webhooks. */
export function createStripe({ clock = createClock() }: { clock?: Clock } = {}): Served<World> {
  const machine: Machine<World> = {
    provider: 'stripe',
    createWorld,
    classify,
    answer,
    operationGroups: groupsOf(routes),
    faultNamed: (name, variant, match) => pickFault(faults, name, variant, match),
    retryAfterMs({ status }, attempt) {
      if (status !== null && status >= 200 && status < 300) return null;
      const minutes = retryMinutes[attempt - 1];
      return minutes === undefined ? null : minutes * 60_000;
    },
    sign(world, { channel, body }, nowMs): Record<string, string> {
      const secret = world.secrets.get(channel);
      return secret === undefined ? {} : { 'stripe-signature': signPayload(secret, body, nowMs) };
    },
  };
  const emulator = createEmulator(machine, clock);
  const { deliveries } = emulator;
  clock.onJump(() => settle(emulator.world, deliveries, clock.now()));
  const control = createControl(emulator, {
    seed(command) {
      const { secretKey, restrictedKey } = command as SeedCommand;
      emulator.world.keys.set(secretKey, 'secret');
      if (restrictedKey !== undefined) emulator.world.keys.set(restrictedKey, 'restricted');
    },
    act(command) {
      const { world } = emulator;
      settle(world, deliveries, clock.now());
      const at: At = {
        world,
        now: Math.floor(clock.now() / 1000),
        deliveries,
        request: { id: null, idempotency_key: null },
      };
      return { problem: perform(at, command as ActCommand) };
    },
    snapshot: () => ({
      subscriptions: [...emulator.world.subscriptions.values()],
      invoices: [...emulator.world.invoices.values()],
      events: emulator.world.events,
    }),
    knobs: (changes) => Object.assign(emulator.world.knobs, changes),
  });
  return { emulator, control };
}

function perform(at: At, command: ActCommand): string | null {
  const { world } = at;
  const there = <T>(store: ReadonlyMap<string, T>, id: string): T => {
    const found = store.get(id);
    if (found === undefined) throw new Error(`no ${id}`);
    return found;
  };
  switch (command.do) {
    case 'pay':
      return completeSession(at, there(world.sessions, command.session), command);
    case 'portal': {
      const { customer, configuration } = there(world.portals, command.session);
      return actInPortal(
        at,
        there(world.customers, customer),
        there(world.configurations, configuration),
        command.deed,
      );
    }
    case 'bank':
      there(world.cards, command.card);
      world.fates.set(command.card, command.fate);
      return null;
    case 'delete-customer':
      deleteCustomer(at, there(world.customers, command.customer));
      return null;
  }
}
