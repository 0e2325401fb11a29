import type { LedgerEntry, Release } from '#emulators/kit/emulator.ts';
import type { ArmedFault, FaultRule } from '#emulators/kit/faults.ts';
import type { ActCommand, ResetCommand, SeedCommand, Snapshot } from './commands.ts';

/** The control plane of a running emulator, as functions. */
export interface RemoteEmulator {
  url: string;
  reset(command?: ResetCommand): Promise<void>;
  seed(command: SeedCommand | SeedCommand[]): Promise<void>;
  act(command: ActCommand | ActCommand[]): Promise<Record<string, unknown>[]>;
  snapshot(): Promise<Snapshot>;
  addFaults(...rules: FaultRule[]): Promise<void>;
  faults(): Promise<ArmedFault[]>;
  clearFaults(): Promise<void>;
  ledger(since?: number): Promise<LedgerEntry[]>;
  clearLedger(): Promise<void>;
  setLatency(ms: number): Promise<void>;
  /** Arms a hold: the matching request is parked when it comes. */
  hold(rule: Omit<FaultRule, 'effect'>): Promise<RemoteHold>;
}

export interface RemoteHold {
  /** Resolves when a request is parked. */
  parked(): Promise<{ method: string; path: string; body: string }>;
  release(how: Release): Promise<void>;
}

export function connectRemote(url: string): RemoteEmulator {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const init: RequestInit = { method };
    if (body !== undefined) init.body = JSON.stringify(body);
    const response = await fetch(`${url}/_emu/${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`the CalDAV emulator refused ${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  return {
    url,
    reset: async (command = {}) => void (await call('POST', 'reset', command)),
    seed: async (command) => void (await call('POST', 'seed', command)),
    act: async (command) => (await call('POST', 'act', command)) as Record<string, unknown>[],
    snapshot: async () => (await call('GET', 'snapshot')) as Snapshot,
    addFaults: async (...rules) => void (await call('POST', 'faults', rules)),
    faults: async () => (await call('GET', 'faults')) as ArmedFault[],
    clearFaults: async () => void (await call('DELETE', 'faults')),
    ledger: async (since = 0) => (await call('GET', `ledger?since=${since}`)) as LedgerEntry[],
    clearLedger: async () => void (await call('DELETE', 'ledger')),
    setLatency: async (ms) => void (await call('POST', 'latency', { ms })),
    async hold(rule) {
      const { id } = (await call('POST', 'hold', rule)) as { id: number };
      return {
        parked: async () => (await call('GET', `hold/${id}`)) as { method: string; path: string; body: string },
        release: async (how) => void (await call('POST', `hold/${id}`, { how })),
      };
    },
  };
}
