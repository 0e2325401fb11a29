import type { Clock } from './clock.ts';
import { createDeliveries, type Deliveries, type Delivery } from './deliveries.ts';
import type { Call, Heard, Reply, Request } from './exchange.ts';
import { type ArmedFault, type Asked, type FaultMatch, type FaultRule, type Phase, replyOf, strike } from './faults.ts';
import { createRandom } from './random.ts';

/** An emulated provider: what its world is, and what it answers. Nothing in it knows a socket, a timer or a clock. */
export interface Machine<World> {
  /** `google`: names the emulator in messages. */
  provider: string;
  createWorld(): World;
  /** Names a request's operation; null for pages, which have neither faults nor a ledger. */
  classify(world: World, request: Request): Asked | null;
  answer(world: World, request: Request, moment: Moment): Answer;
  /** `write` and other names for several operations. */
  operationGroups: Readonly<Record<string, readonly string[]>>;
  /** The rule behind a name of the fault catalogue. Throws where there is no such name or variant. */
  faultNamed(name: string, variant: string | undefined, match: FaultMatch): FaultRule;
  /** Ms to the next attempt at a notification that was answered so; null: it counts as delivered, or is given up. */
  retryAfterMs(heard: Heard, attempt: number, about: { world: World; url: string; nowMs: number }): number | null;
  /** Signature headers of a notification at each attempt, for providers whose signature contains the time. */
  sign?(world: World, delivery: Pick<Delivery, 'channel' | 'body'>, nowMs: number): Record<string, string>;
  /** `www-authenticate` of a 401 that a fault gives, where it says none itself. */
  challenge?: string;
  /** Requests of one lane are counted while they are under way; null: this one is not. Absent: none is. */
  laneOf?(world: World, request: Request): string | null;
}

/** All that an answer may know of the moment it is given in. */
export interface Moment {
  nowMs: number;
  deliveries: Deliveries;
  /** Set where a fault asks for a peculiar answer. */
  quirk: string | null;
  random: () => number;
  /** Requests of the same lane that were under way when this one came. */
  ahead: number;
  /** A request inside this one, as in a batch: ledger and faults meet it like any other. */
  nest(request: Request): Reply;
}

/** A reply, or a call that has to be made before there is one. */
export type Answer = Reply | { call: Call; next(heard: Heard): Answer };

export interface LedgerEntry extends Asked {
  n: number;
  atMs: number;
  method: string;
  path: string;
  query: string;
  /** Status of the server's intended answer; null while held, or without an answer. */
  status: number | null;
  /** False where a fault struck before the request reached the world. */
  applied: boolean;
  /** Name of the fault that struck, or the kind of its effect. */
  fault: string | null;
  phase: Phase | null;
  ifMatch: string | null;
  prefer: string | null;
  ifNoneMatch: string | null;
  requestBytes: number;
}

/** The end of a held request. */
export type Release = 'answer' | 'apply-and-reset' | 'drop';

export interface Hold {
  faultId: number;
  request: Request;
  release(how: Release): Outcome;
}

export type Outcome =
  | { kind: 'reply'; reply: Reply }
  | { kind: 'reset' }
  | { kind: 'stall' }
  | { kind: 'truncated'; reply: Reply; keep: number }
  | { kind: 'slow'; reply: Reply; bytesPerSecond: number }
  | { kind: 'held'; hold: Hold }
  /** The driver waits this long, then calls `next`. */
  | { kind: 'delayed'; ms: number; next(): Outcome }
  /** The driver makes the call and passes its answer. */
  | { kind: 'calls'; call: Call; next(heard: Heard): Outcome };

export interface Emulator<World> {
  machine: Machine<World>;
  world: World;
  clock: Clock;
  ledger: LedgerEntry[];
  faults: ArmedFault[];
  deliveries: Deliveries;
  /** Milliseconds that the wire adds to every request; the driver waits, the machine does not. */
  latencyMs: number;
  /** Draws from the seeded generator. */
  random(): number;
  /** One request in, one outcome out; what it announces waits in `deliveries`. */
  receive(request: Request, ahead?: number): Outcome;
  /** The driver calls this when a request comes, and `leave` when it has been answered. */
  enter(request: Request): { ahead: number; leave(): void };
  addFault(rule: FaultRule, name?: string): ArmedFault;
  reset(seed?: number): void;
}

export function createEmulator<World>(machine: Machine<World>, clock: Clock): Emulator<World> {
  let faultIds = 0;
  const underWay = new Map<string, number>();
  let random = createRandom(1);
  const emulator: Emulator<World> = {
    machine,
    world: machine.createWorld(),
    clock,
    ledger: [],
    faults: [],
    deliveries: createDeliveries(
      clock,
      (heard, attempt, url) => machine.retryAfterMs(heard, attempt, { world: emulator.world, url, nowMs: clock.now() }),
      () => random(),
      (delivery) => machine.sign?.(emulator.world, delivery, clock.now()) ?? {},
    ),
    latencyMs: 0,
    random: () => random(),
    receive: (request, ahead = 0) => receive(emulator, request, random, ahead),
    enter(request) {
      const lane = machine.laneOf?.(emulator.world, request) ?? null;
      if (lane === null) return { ahead: 0, leave: () => undefined };
      const ahead = underWay.get(lane) ?? 0;
      underWay.set(lane, ahead + 1);
      return { ahead, leave: () => void underWay.set(lane, underWay.get(lane)! - 1) };
    },
    addFault(rule, name) {
      faultIds += 1;
      const armed = { ...rule, id: faultIds, name: name ?? null, seen: 0, struck: 0 };
      emulator.faults.push(armed);
      return armed;
    },
    reset(seed = 1) {
      random = createRandom(seed);
      emulator.world = machine.createWorld();
      emulator.ledger = [];
      emulator.faults = [];
      emulator.latencyMs = 0;
      emulator.deliveries.clear();
    },
  };
  return emulator;
}

function receive<World>(emulator: Emulator<World>, request: Request, random: () => number, ahead: number): Outcome {
  const { machine, world, clock, deliveries, faults } = emulator;
  const moment: Moment = {
    nowMs: clock.now(),
    deliveries,
    quirk: null,
    random,
    ahead,
    nest(inner) {
      const outcome = receive(emulator, inner, random, 0);
      if (outcome.kind === 'reply') return outcome.reply;
      return { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' };
    },
  };
  const asked = machine.classify(world, request);
  if (asked === null) return settle(machine.answer(world, request, moment), (reply) => ({ kind: 'reply', reply }));
  const entry: LedgerEntry = {
    n: emulator.ledger.length + 1,
    atMs: moment.nowMs,
    ...asked,
    method: request.method,
    path: request.path,
    query: request.query,
    status: null,
    applied: false,
    fault: null,
    phase: null,
    ifMatch: request.headers['if-match'] ?? null,
    prefer: request.headers.prefer ?? null,
    ifNoneMatch: request.headers['if-none-match'] ?? null,
    requestBytes: Buffer.byteLength(request.body),
  };
  emulator.ledger.push(entry);
  const apply: Apply = (then, quirk = null) => {
    entry.applied = true;
    return settle(machine.answer(world, request, { ...moment, nowMs: clock.now(), quirk }), (reply) => {
      entry.status = reply.status;
      return then(reply);
    });
  };
  const fault = strike(faults, { asked, path: request.path, groups: machine.operationGroups, random });
  if (!fault) return apply((reply) => ({ kind: 'reply', reply }));
  entry.fault = fault.name ?? fault.effect.kind;
  entry.phase = fault.phase ?? 'before';
  const act = () => strikeWith(fault, request, entry, apply, machine.challenge);
  return fault.delayMs === undefined ? act() : { kind: 'delayed', ms: fault.delayMs, next: act };
}

type Apply = (then: (reply: Reply) => Outcome, quirk?: string | null) => Outcome;

function settle(answer: Answer, then: (reply: Reply) => Outcome): Outcome {
  if (!('call' in answer)) return then(answer);
  return { kind: 'calls', call: answer.call, next: (heard) => settle(answer.next(heard), then) };
}

function strikeWith(
  fault: ArmedFault,
  request: Request,
  entry: LedgerEntry,
  apply: Apply,
  challenge: string | undefined,
): Outcome {
  const { effect } = fault;
  switch (effect.kind) {
    // these four effects change the answer; the request is always applied
    case 'none':
      return apply((reply) => ({ kind: 'reply', reply }));
    case 'quirk':
      return apply((reply) => ({ kind: 'reply', reply }), effect.quirk);
    case 'truncated':
      return apply((reply) => ({ kind: 'truncated', reply, keep: effect.keep }));
    case 'slow':
      return apply((reply) => ({ kind: 'slow', reply, bytesPerSecond: effect.bytesPerSecond }));
    case 'hold':
      if (fault.phase !== 'after') return { kind: 'held', hold: { faultId: fault.id, request, release: goOn(apply) } };
      return apply((reply) => ({
        kind: 'held',
        hold: { faultId: fault.id, request, release: goOn((then) => then(reply)) },
      }));
    default: {
      const struck = (): Outcome => {
        if (effect.kind === 'reset' || effect.kind === 'stall') return { kind: effect.kind };
        const reply = replyOf(effect, challenge);
        entry.status = reply.status;
        return { kind: 'reply', reply };
      };
      return fault.phase === 'after' ? apply(struck) : struck();
    }
  }
}

function goOn(apply: Apply): (how: Release) => Outcome {
  return (how) => {
    if (how === 'answer') return apply((reply) => ({ kind: 'reply', reply }));
    return how === 'apply-and-reset' ? apply(() => ({ kind: 'reset' })) : { kind: 'reset' };
  };
}
