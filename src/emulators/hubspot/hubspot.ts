import { type Clock, createClock } from '#emulators/kit/clock.ts';
import { createControl } from '#emulators/kit/control.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { createEmulator, type Machine } from '#emulators/kit/emulator.ts';
import { pickFault } from '#emulators/kit/fault-table.ts';
import { answer, classify } from './answer.ts';
import { faults, operationGroups } from './fault-catalogue.ts';
import { type CrmObject, createRecords, createWorld, type Knobs, type World } from './world.ts';

export interface SeedCommand {
  portal: number;
  token: string;
  scopes?: string[];
}

export interface HubspotDialect {
  seed: SeedCommand;
  act: never;
  acted: never;
  snapshot: Record<number, { contacts: CrmObject[]; meetings: CrmObject[]; associations: string[] }>;
  knobs: Knobs;
}

export const allScopes = ['crm.objects.contacts.write', 'crm.objects.contacts.read', 'crm.schemas.contacts.write'];

/** An emulated HubSpot: upserts by unique properties, their definitions, and associations. */
export function createHubspot({ clock = createClock() }: { clock?: Clock } = {}): Served<World> {
  const machine: Machine<World> = {
    provider: 'hubspot',
    createWorld,
    classify,
    answer,
    operationGroups,
    faultNamed: (name, variant, match) => pickFault(faults, name, variant, match),
    retryAfterMs: () => null,
  };
  const emulator = createEmulator(machine, clock);
  const control = createControl(emulator, {
    seed(command) {
      const { portal, token, scopes = allScopes } = command as SeedCommand;
      emulator.world.portals.set(token, { id: portal, token, scopes });
      if (!emulator.world.records.has(portal)) emulator.world.records.set(portal, createRecords());
    },
    act() {
      throw new Error('nobody does anything in HubSpot but its API');
    },
    snapshot: () =>
      Object.fromEntries(
        [...emulator.world.records].map(([portal, { contacts, meetings, associations }]) => [
          portal,
          { contacts, meetings, associations: [...associations] },
        ]),
      ),
    knobs: (changes) => Object.assign(emulator.world.knobs, changes),
  });
  return { emulator, control };
}
