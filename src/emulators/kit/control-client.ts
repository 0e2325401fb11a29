import type { ClockCommand, DeliverCommand } from './control.ts';
import type { Delivery, DeliveryMode } from './deliveries.ts';
import type { LedgerEntry, Release } from './emulator.ts';
import type { Heard } from './exchange.ts';
import type { ArmedFault, FaultMatch, FaultRule, NamedFault } from './faults.ts';

/** The commands that a provider's own control plane takes. */
export interface Dialect {
  seed: unknown;
  act: unknown;
  acted: unknown;
  snapshot: unknown;
  knobs: unknown;
}

/** The control plane of a running emulator, as functions. */
export interface ControlClient<D extends Dialect> {
  reset(seed?: number): Promise<void>;
  seed(...commands: D['seed'][]): Promise<void>;
  act(command: D['act']): Promise<D['acted']>;
  snapshot(): Promise<D['snapshot']>;
  /** Changes settings; gives all of them. */
  knobs(changes: Partial<D['knobs']>): Promise<D['knobs']>;
  addFaults(...faults: (FaultRule | NamedFault)[]): Promise<void>;
  faults(): Promise<ArmedFault[]>;
  clearFaults(): Promise<void>;
  ledger(since?: number): Promise<LedgerEntry[]>;
  clearLedger(): Promise<void>;
  setLatency(ms: number): Promise<void>;
  clock(command: ClockCommand): Promise<number>;
  deliveries(): Promise<{ mode: DeliveryMode; list: Delivery[] }>;
  deliver(command: DeliverCommand): Promise<{ list?: Delivery[]; heard?: Heard }>;
  /** Arms a hold: the matching request is parked when it comes. */
  hold(match: FaultMatch): Promise<ParkedRequest>;
}

export interface ParkedRequest {
  /** Resolves when a request is parked. */
  parked(): Promise<{ method: string; path: string; body: string }>;
  release(how: Release): Promise<void>;
}

/** `fetch` may be the real one or one that drives an emulator of this process. */
export function connectControl<D extends Dialect>(
  baseUrl: string,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): ControlClient<D> {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const init: RequestInit = { method };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await send(`${baseUrl}/_emu/${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`the emulator refused ${method} ${path}: ${text}`);
    return JSON.parse(text) as T;
  };
  return {
    reset: async (seed) => void (await call('POST', 'reset', { seed })),
    seed: async (...commands) => void (await call('POST', 'seed', commands)),
    act: async (command) => (await call<D['acted'][]>('POST', 'act', command))[0],
    snapshot: () => call('GET', 'snapshot'),
    knobs: (changes) => call('POST', 'knobs', changes),
    addFaults: async (...faults) => void (await call('POST', 'faults', faults)),
    faults: () => call('GET', 'faults'),
    clearFaults: async () => void (await call('DELETE', 'faults')),
    ledger: (since = 0) => call('GET', `ledger?since=${since}`),
    clearLedger: async () => void (await call('DELETE', 'ledger')),
    setLatency: async (ms) => void (await call('POST', 'latency', { ms })),
    clock: async (command) => (await call<{ nowMs: number }>('POST', 'clock', command)).nowMs,
    deliveries: () => call('GET', 'deliver'),
    deliver: (command) => call('POST', 'deliver', command),
    async hold(match) {
      const { id } = await call<{ id: number }>('POST', 'hold', match);
      return {
        parked: () => call('GET', `hold/${id}`),
        release: async (how) => void (await call('POST', `hold/${id}`, { how })),
      };
    },
  };
}
