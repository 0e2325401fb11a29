import { type Clock, createClock } from '#emulators/kit/clock.ts';
import { createControl } from '#emulators/kit/control.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { createEmulator, type Machine } from '#emulators/kit/emulator.ts';
import { createSigningKey } from '#emulators/kit/sign-id-token.ts';
import { type ActCommand, type Acted, act } from './act.ts';
import { answer, classify } from './answer.ts';
import { faultNamed, operationGroups } from './fault-catalogue.ts';
import type { Knobs } from './knobs.ts';
import { type SeedCommand, seedAccount } from './seed.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { createWorld, type World } from './world.ts';

/** The control plane's own commands at Google. */
export interface GoogleDialect {
  seed: SeedCommand;
  act: ActCommand;
  acted: Acted;
  snapshot: Snapshot;
  knobs: Knobs;
}

export interface GoogleOptions {
  clock?: Clock;
  /** Where clients and browsers find it, if not at the address that a request came to. */
  origin?: string;
  /** Set now, and again after every reset. */
  knobs?: Partial<Knobs>;
}

const RETRIED = [500, 502, 503, 504];
const MOST_ATTEMPTS = 6;

/** An emulated Google: OAuth, OpenID Connect and the Calendar API, version 3, as a state machine. */
export function createGoogle({ clock = createClock(), origin, knobs = {} }: GoogleOptions = {}): Served<World> {
  const identity = { key: createSigningKey(), origin: origin ?? null };
  const machine: Machine<World> = {
    provider: 'google',
    createWorld() {
      const world = createWorld();
      Object.assign(world.knobs, knobs);
      return world;
    },
    classify,
    answer: (world, request, moment) => answer(world, request, moment, identity),
    operationGroups,
    faultNamed,
    /** "Every other return status code is considered to be a message failure." Source: "Push notifications". */
    retryAfterMs: ({ status }, attempt) =>
      status !== null && RETRIED.includes(status) && attempt < MOST_ATTEMPTS ? 1_000 * 2 ** (attempt - 1) : null,
  };
  const emulator = createEmulator(machine, clock);
  const moment = () => ({ nowMs: clock.now(), deliveries: emulator.deliveries, random: emulator.random });
  const control = createControl(emulator, {
    seed: (command) => seedAccount(emulator.world, command as SeedCommand, clock.now()),
    act: (command) => act(emulator.world, command as ActCommand, moment()),
    snapshot: () => snapshotOf(emulator.world, clock.now()),
    knobs: (changes) => Object.assign(emulator.world.knobs, changes),
  });
  return { emulator, control };
}
