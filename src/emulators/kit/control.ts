import type { DeliveryMode } from './deliveries.ts';
import type { Emulator, Hold, Outcome, Release } from './emulator.ts';
import { jsonReply, type Reply, type Request } from './exchange.ts';
import type { FaultMatch, FaultRule, NamedFault } from './faults.ts';

/** Actions on a provider besides calls of its API. The provider's own part of the control plane. */
export interface Commands {
  seed(command: unknown): unknown;
  act(command: unknown): unknown;
  snapshot(): unknown;
  /** Called after a reset, with the command's other fields. */
  reset?(command: unknown): void;
  /** Changes the provider's settings (quota, token life); gives all of them. */
  knobs(changes: unknown): unknown;
}

export type ClockCommand =
  | { setMs: number }
  | { set: string }
  | { advanceMs: number }
  | { freeze: true }
  | { run: true };

export type DeliverCommand =
  | { do: 'mode'; mode: DeliveryMode }
  | { do: 'pump'; count?: number }
  | { do: 'drop' | 'duplicate' | 'reorder'; ids: number[] }
  | { do: 'delay'; ids: number[]; ms: number }
  | { do: 'lose'; share: number }
  /** A notification that the provider never sent, to the address given. */
  | { do: 'forge'; url: string; headers?: Record<string, string>; body?: string };

interface ParkingPlace {
  hold: Hold | null;
  released: boolean;
  /** Takes the outcome of the release back to the client that waits for it. */
  resume: ((outcome: Outcome) => void) | null;
  waiting: ((reply: Reply) => void)[];
}

export interface Control {
  /** Answers a call below `/_emu/`; the wait for a held request answers when it comes. */
  handle(request: Request): Promise<Reply>;
  /** The driver hands over a held request and is called back when it continues. */
  park(hold: Hold, resume: (outcome: Outcome) => void): void;
}

const PREFIX = '/_emu/';

export function isControlPath(path: string): boolean {
  return path.startsWith(PREFIX);
}

export function createControl<World>(emulator: Emulator<World>, commands: Commands): Control {
  let places = new Map<number, ParkingPlace>();
  const { clock, deliveries, machine } = emulator;

  const armed = (fault: FaultRule | NamedFault): number => {
    if ('effect' in fault) return emulator.addFault(fault).id;
    const { name, variant, ...match } = fault;
    return emulator.addFault(machine.faultNamed(name, variant, match), variant ? `${name} ${variant}` : name).id;
  };

  const table: Record<string, (body: never, query: URLSearchParams) => unknown> = {
    'POST reset': (body: { seed?: number } | null) => {
      for (const place of places.values())
        if (place.hold && !place.released) place.resume?.(place.hold.release('drop'));
      places = new Map();
      emulator.reset(body?.seed);
      commands.reset?.(body ?? {});
      return {};
    },
    'POST seed': (body: unknown) => asList(body).map((one) => commands.seed(one)),
    'POST act': (body: unknown) => asList(body).map((one) => commands.act(one)),
    'GET snapshot': () => commands.snapshot(),
    'POST knobs': (body: unknown) => commands.knobs(body ?? {}),
    'POST faults': (body: FaultRule | NamedFault | (FaultRule | NamedFault)[]) => ({ ids: asList(body).map(armed) }),
    'GET faults': () => emulator.faults,
    'DELETE faults': () => {
      emulator.faults = [];
      return {};
    },
    'POST hold': (match: FaultMatch) => {
      const { id } = emulator.addFault({ ...match, effect: { kind: 'hold' } });
      places.set(id, { hold: null, released: false, resume: null, waiting: [] });
      return { id };
    },
    'GET ledger': (_: unknown, query: URLSearchParams) => emulator.ledger.slice(Number(query.get('since') ?? 0)),
    'DELETE ledger': () => {
      emulator.ledger = [];
      return {};
    },
    'POST latency': ({ ms }: { ms: number }) => {
      emulator.latencyMs = ms;
      return { ms };
    },
    'GET clock': () => ({ nowMs: clock.now() }),
    'POST clock': (command: ClockCommand) => {
      if ('setMs' in command) clock.set(command.setMs);
      else if ('set' in command) clock.set(Temporal.Instant.from(command.set).epochMilliseconds);
      else if ('advanceMs' in command) clock.advance(command.advanceMs);
      else if ('freeze' in command) clock.freeze();
      else clock.run();
      return { nowMs: clock.now() };
    },
    'GET deliver': () => ({ mode: deliveries.mode, list: deliveries.list() }),
    'POST deliver': async (command: DeliverCommand) => {
      switch (command.do) {
        case 'mode':
          deliveries.setMode(command.mode);
          break;
        case 'pump':
          return { list: await deliveries.pump(command.count) };
        case 'lose':
          deliveries.loss = command.share;
          break;
        case 'delay':
          deliveries.delay(command.ids, command.ms);
          break;
        case 'forge': {
          const { url, headers = {}, body = '' } = command;
          return { heard: await deliveries.send({ method: 'POST', url, headers, body }) };
        }
        default:
          deliveries[command.do](command.ids);
      }
      return { list: deliveries.waiting() };
    },
  };

  const waitFor = async (id: number): Promise<Reply> => {
    const place = places.get(id);
    if (!place) return jsonReply(404, { error: `no hold ${id}` });
    if (place.hold) return describeHold(place.hold);
    return await new Promise((resolve) => place.waiting.push(resolve));
  };

  const release = (id: number, how: Release): Reply => {
    const place = places.get(id);
    if (!place?.hold || place.released) return jsonReply(409, { error: `hold ${id} has nothing parked` });
    place.released = true;
    place.resume?.(place.hold.release(how));
    return jsonReply(200, {});
  };

  return {
    async handle({ method, path, query, body: text }) {
      const name = path.slice(PREFIX.length);
      try {
        const body: unknown = text === '' ? null : JSON.parse(text);
        const hold = /^hold\/(\d+)$/.exec(name);
        if (hold && method === 'GET') return await waitFor(Number(hold[1]));
        if (hold && method === 'POST') return release(Number(hold[1]), (body as { how: Release }).how);
        const command = table[`${method} ${name}`];
        if (!command) return jsonReply(404, { error: `no command ${method} ${name}` });
        return jsonReply(200, await command(body as never, new URLSearchParams(query)));
      } catch (error) {
        return jsonReply(400, { error: error instanceof Error ? error.message : String(error) });
      }
    },
    park(hold, resume) {
      const place = places.get(hold.faultId) ?? { hold: null, released: false, resume: null, waiting: [] };
      places.set(hold.faultId, place);
      place.hold = hold;
      place.released = false;
      place.resume = resume;
      for (const tell of place.waiting.splice(0)) tell(describeHold(hold));
    },
  };
}

function describeHold({ request }: Hold): Reply {
  return jsonReply(200, { method: request.method, path: request.path, body: request.body });
}

function asList<T>(value: T | T[]): T[] {
  return Array.isArray(value) ? value : [value];
}
