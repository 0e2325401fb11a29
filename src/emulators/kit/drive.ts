import { setTimeout as sleep } from 'node:timers/promises';
import { type Control, isControlPath } from './control.ts';
import type { Emulator, Outcome } from './emulator.ts';
import type { Request } from './exchange.ts';

/** An outcome that nobody has to do anything more for. */
export type Final = Exclude<Outcome, { kind: 'held' | 'delayed' | 'calls' }>;

export interface Served<World> {
  emulator: Emulator<World>;
  control: Control;
}

/** Brings a request to its end: waits, calls out and parks as the machine asks for it. */
export async function drive<World>({ emulator, control }: Served<World>, request: Request): Promise<Final> {
  if (isControlPath(request.path)) return { kind: 'reply', reply: await control.handle(request) };
  const { ahead, leave } = emulator.enter(request);
  try {
    if (emulator.latencyMs > 0) await sleep(emulator.latencyMs);
    return await finish({ emulator, control }, emulator.receive(request, ahead));
  } finally {
    leave();
  }
}

async function finish<World>({ emulator, control }: Served<World>, first: Outcome): Promise<Final> {
  let outcome = first;
  for (;;) {
    switch (outcome.kind) {
      case 'delayed':
        await sleep(outcome.ms);
        outcome = outcome.next();
        break;
      case 'calls':
        outcome = outcome.next(await emulator.deliveries.send(outcome.call));
        break;
      case 'held': {
        const { hold } = outcome;
        outcome = await new Promise<Outcome>((resume) => control.park(hold, resume));
        break;
      }
      default:
        return outcome;
    }
  }
}
