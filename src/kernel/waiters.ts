/** Callers that wait for room, first come first served. One that gives up leaves its place to the next. */
export class Waiters {
  readonly #wakes: (() => void)[] = [];

  get count(): number {
    return this.#wakes.length;
  }

  /** Resolves when it is this caller's turn to look again. Rejects with the signal's reason when it aborts. */
  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        const index = this.#wakes.indexOf(wake);
        if (index >= 0) this.#wakes.splice(index, 1);
        reject(signal.reason);
      };
      const wake = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      this.#wakes.push(wake);
    });
  }

  /** Lets the first one look again. */
  wake(): void {
    this.#wakes.shift()?.();
  }
}
