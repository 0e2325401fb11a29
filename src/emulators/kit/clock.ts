/** The emulator's clock: it runs with the real one, ahead or behind it, or stands still. */
export interface Clock {
  now(): number;
  /** Runs on from here where it ran, stands there where it stood. */
  set(atMs: number): void;
  advance(ms: number): void;
  freeze(): void;
  run(): void;
  /** Told after every jump, so that what has become due is done. */
  onJump(listener: () => void): void;
}

const wallClock = () => Math.round(performance.timeOrigin + performance.now());

/** `fixedMs` given: a clock that stands there until it is moved. `real`: what it follows when it runs. */
export function createClock(fixedMs: number | null = null, real: () => number = wallClock): Clock {
  let stoodAtMs = fixedMs;
  let aheadMs = 0;
  const listeners: (() => void)[] = [];
  const now = () => stoodAtMs ?? real() + aheadMs;
  const set = (atMs: number) => {
    if (stoodAtMs === null) aheadMs = atMs - real();
    else stoodAtMs = atMs;
    for (const listener of listeners) listener();
  };
  return {
    now,
    set,
    advance: (ms) => set(now() + ms),
    freeze() {
      stoodAtMs = now();
    },
    run() {
      aheadMs = now() - real();
      stoodAtMs = null;
    },
    onJump(listener) {
      listeners.push(listener);
    },
  };
}
