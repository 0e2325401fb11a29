import type { Clock } from '#emulators/kit/clock.ts';
import { createControl } from '#emulators/kit/control.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { createEmulator, type Emulator, type Machine } from '#emulators/kit/emulator.ts';
import { answer } from './answer.ts';
import { commandsOf } from './commands.ts';
import { operationGroups, operationOf } from './operation.ts';
import type { QuirkProfile } from './quirks.ts';
import { createWorld, type World } from './world.ts';

export type CaldavEmulator = Emulator<World>;

/** A CalDAV server as a state machine. */
function machineOf(profile: QuirkProfile): Machine<World> {
  return {
    provider: 'caldav',
    createWorld: () => createWorld(profile),
    classify(_, request) {
      const [, top, account = null, calendar = null, resource = null] = request.path.split('/');
      const isCalendar = top === 'calendars';
      return {
        operation: operationOf(request),
        account,
        calendar: isCalendar ? calendar : null,
        resource: isCalendar ? resource : null,
      };
    },
    answer: (world, request, { nowMs }) => answer(world, request, nowMs),
    operationGroups,
    challenge: 'Basic realm="calendars"',
    faultNamed(name) {
      throw new Error(`no fault ${name}: a CalDAV server's faults are told by their effect`);
    },
    // this emulator sends no notifications
    retryAfterMs: () => null,
  };
}

export function createCaldav(clock: Clock, profile: QuirkProfile = 'faithful'): Served<World> {
  const emulator = createEmulator(machineOf(profile), clock);
  return { emulator, control: createControl(emulator, commandsOf(emulator)) };
}
