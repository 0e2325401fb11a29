import { type Clock, createClock } from '#emulators/kit/clock.ts';
import { createControl } from '#emulators/kit/control.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { createEmulator, type Machine } from '#emulators/kit/emulator.ts';
import { pickFault } from '#emulators/kit/fault-table.ts';
import { answer, classify } from './answer.ts';
import { faults, operationGroups } from './fault-catalogue.ts';
import { takeInbound } from './take-inbound.ts';
import { createWorld, type Knobs, type Message, type World } from './world.ts';

export interface SeedCommand {
  sid: string;
  authToken: string;
  name?: string;
  numbers: { number: string; smsUrl?: string }[];
  services?: { sid: string; number: string; inboundUrl?: string }[];
}

/** Actions of a person on a phone, and of Twilio on an account. */
export type ActCommand =
  | { account: string; do: 'write'; from: string; to: string; body: string }
  | { account: string; do: 'suspend' };

export interface TwilioDialect {
  seed: SeedCommand;
  act: ActCommand;
  acted: { sid: string | null };
  snapshot: { messages: Message[]; optOuts: string[] };
  knobs: Knobs;
}

/** An emulated Twilio: Messages of the 2010 API, their callbacks, and phones that answer. */
export function createTwilio({ clock = createClock() }: { clock?: Clock } = {}): Served<World> {
  const machine: Machine<World> = {
    provider: 'twilio',
    createWorld,
    classify,
    answer,
    operationGroups,
    faultNamed: (name, variant, match) => pickFault(faults, name, variant, match),
    /** A callback that fails is not made again. Source: "Webhooks: connection overrides", retries are off by default. */
    retryAfterMs: () => null,
  };
  const emulator = createEmulator(machine, clock);
  const control = createControl(emulator, {
    seed(command) {
      const { sid, authToken, name = 'My project', numbers, services = [] } = command as SeedCommand;
      emulator.world.accounts.set(sid, {
        sid,
        authToken,
        name,
        status: 'active',
        numbers: new Map(numbers.map(({ number, smsUrl }) => [number, { smsUrl: smsUrl ?? null }])),
        services: new Map(services.map((one) => [one.sid, { number: one.number, inboundUrl: one.inboundUrl ?? null }])),
      });
    },
    act(command) {
      const asked = command as ActCommand;
      const account = emulator.world.accounts.get(asked.account);
      if (account === undefined) throw new Error(`no account ${asked.account}`);
      if (asked.do === 'suspend') {
        account.status = 'suspended';
        return { sid: null };
      }
      const moment = { nowMs: clock.now(), deliveries: emulator.deliveries };
      return { sid: takeInbound(emulator.world, account, asked, moment).sid };
    },
    snapshot: () => ({ messages: emulator.world.messages, optOuts: [...emulator.world.optOuts] }),
    knobs: (changes) => Object.assign(emulator.world.knobs, changes),
  });
  return { emulator, control };
}
