import { type CaldavEmulator, createCaldav } from '../../src/emulators/caldav/emulator.ts';
import { type QuirkProfile, type Quirks, quirkProfiles } from '../../src/emulators/caldav/quirks.ts';
import { addUser } from '../../src/emulators/caldav/world.ts';
import { createClock } from '../../src/emulators/kit/clock.ts';
import type { Outcome } from '../../src/emulators/kit/emulator.ts';
import type { CaldavHttp, CaldavHttpResponse } from '../../src/providers/caldav/http.ts';

export interface EmulatedCaldav {
  emulator: CaldavEmulator;
  http: CaldavHttp;
  url: string;
  /** Moves the emulator's clock; nothing else does. */
  advance(ms: number): void;
}

/** The CalDAV emulator in this process, without sockets: alice / secret at http://emulator.test/. */
export function emulateCaldav(profile: QuirkProfile = 'faithful', overrides: Partial<Quirks> = {}): EmulatedCaldav {
  const clock = createClock(Temporal.Instant.from('2027-01-01T12:00:00Z').epochMilliseconds);
  const { emulator } = createCaldav(clock, profile);
  emulator.world.quirks = { ...quirkProfiles[profile], ...overrides };
  addUser(emulator.world, 'alice', 'secret');
  const http: CaldavHttp = async ({ method, url, headers, body, signal }) => {
    const { pathname, search } = new URL(url);
    // One turn of the loop, as a network would take: callers really run side by side.
    await new Promise((resolve) => setImmediate(resolve));
    const outcome = emulator.receive({ method, path: pathname, query: search.slice(1), headers, body: body ?? '' });
    return await toResponse(outcome, signal);
  };
  return {
    emulator,
    http,
    url: 'http://emulator.test/',
    advance: (ms) => clock.advance(ms),
  };
}

async function toResponse(outcome: Outcome, signal: AbortSignal): Promise<CaldavHttpResponse> {
  switch (outcome.kind) {
    case 'reply':
      return outcome.reply;
    case 'reset':
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    case 'truncated': {
      const { status, headers, body } = outcome.reply;
      return { status, headers, body: body.slice(0, Math.floor(body.length * outcome.keep)) };
    }
    case 'slow': {
      const { status, headers, body } = outcome.reply;
      return { status, headers, body: dripping(body, outcome.bytesPerSecond) };
    }
    // here no held request is released, and nothing delays one or calls back
    case 'stall':
    case 'held':
    case 'delayed':
    case 'calls':
      return await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('aborted', { cause: signal.reason })), { once: true }),
      );
  }
}

async function* dripping(body: string, bytesPerSecond: number): AsyncGenerator<Uint8Array> {
  for (const byte of Buffer.from(body)) {
    await new Promise((resolve) => setTimeout(resolve, 1_000 / bytesPerSecond));
    yield Uint8Array.of(byte);
  }
}
