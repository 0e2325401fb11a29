import { answer } from './answer.ts';
import type { Reply, Request } from './exchange.ts';
import {
  type ArmedFault,
  type Effect,
  type FaultRule,
  type Operation,
  operationOf,
  replyOf,
  strike,
} from './faults.ts';
import type { QuirkProfile, Quirks } from './quirks.ts';
import { createWorld, type World } from './world.ts';

export interface LedgerEntry {
  n: number;
  atMs: number;
  method: string;
  operation: Operation;
  path: string;
  /** Of the answer that the server meant to give; null while held, or where it gave none. */
  status: number | null;
  /** False where a fault struck before the request reached the world. */
  applied: boolean;
  fault: Effect['kind'] | null;
  ifMatch: string | null;
  ifNoneMatch: string | null;
  requestBytes: number;
}

/** How a held request goes on. */
export type Release = 'answer' | 'apply-and-reset' | 'drop';

export type Outcome =
  | { kind: 'reply'; reply: Reply }
  | { kind: 'reset' }
  | { kind: 'stall' }
  | { kind: 'truncated'; reply: Reply; keep: number }
  | { kind: 'slow'; reply: Reply; bytesPerSecond: number }
  | { kind: 'held'; hold: Hold };

export interface Hold {
  faultId: number;
  request: Request;
  release(how: Release): Outcome;
}

export interface Emulator {
  world: World;
  ledger: LedgerEntry[];
  faults: ArmedFault[];
  /** Milliseconds that the wire adds to every request; the HTTP server waits, the state machine does not. */
  latencyMs: number;
  now(): number;
  /** One request in, one outcome out, nothing else happens: no socket, no timer, no clock but `now`. */
  receive(request: Request): Outcome;
  addFault(rule: FaultRule): ArmedFault;
  reset(profile?: QuirkProfile, overrides?: Partial<Quirks>): void;
}

/** A CalDAV server as a state machine. `now` is its clock. */
export function createEmulator(now: () => number, profile: QuirkProfile = 'faithful'): Emulator {
  let faultIds = 0;
  const emulator: Emulator = {
    world: createWorld(profile),
    ledger: [],
    faults: [],
    latencyMs: 0,
    now,
    receive: (request) => receive(emulator, request),
    addFault(rule) {
      faultIds += 1;
      const armed = { ...rule, id: faultIds, seen: 0, struck: 0 };
      emulator.faults.push(armed);
      return armed;
    },
    reset(next = 'faithful', overrides = {}) {
      emulator.world = createWorld(next, overrides);
      emulator.ledger = [];
      emulator.faults = [];
      emulator.latencyMs = 0;
    },
  };
  return emulator;
}

function receive(emulator: Emulator, request: Request): Outcome {
  const operation = operationOf(request);
  const entry: LedgerEntry = {
    n: emulator.ledger.length + 1,
    atMs: emulator.now(),
    method: request.method,
    operation,
    path: request.path,
    status: null,
    applied: false,
    fault: null,
    ifMatch: request.headers['if-match'] ?? null,
    ifNoneMatch: request.headers['if-none-match'] ?? null,
    requestBytes: request.body.length,
  };
  emulator.ledger.push(entry);
  const apply = (): Reply => {
    const reply = answer(emulator.world, request, emulator.now());
    entry.applied = true;
    entry.status = reply.status;
    return reply;
  };
  const fault = emulator.faults.length === 0 ? null : strike(emulator.faults, request, operation);
  if (!fault) return { kind: 'reply', reply: apply() };
  entry.fault = fault.effect.kind;
  return strikeWith(fault, request, entry, apply);
}

function strikeWith(fault: ArmedFault, request: Request, entry: LedgerEntry, apply: () => Reply): Outcome {
  const { effect } = fault;
  // An answer can only be cut or slowed down where there is one: these two always apply the request.
  if (effect.kind === 'truncated') return { kind: 'truncated', reply: apply(), keep: effect.keep };
  if (effect.kind === 'slow') return { kind: 'slow', reply: apply(), bytesPerSecond: effect.bytesPerSecond };
  const applied = fault.phase === 'after' ? apply() : null;
  switch (effect.kind) {
    case 'reset':
      return { kind: 'reset' };
    case 'stall':
      return { kind: 'stall' };
    case 'hold':
      return {
        kind: 'held',
        hold: {
          faultId: fault.id,
          request,
          release(how) {
            if (how === 'answer') return { kind: 'reply', reply: applied ?? apply() };
            if (how === 'apply-and-reset' && !applied) apply();
            return { kind: 'reset' };
          },
        },
      };
    default: {
      const reply = replyOf(effect);
      entry.status = reply.status;
      return { kind: 'reply', reply };
    }
  }
}
