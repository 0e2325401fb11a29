import { drive, type Served } from './drive.ts';

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/** `fetch` for an emulator of this process: no socket, the same outcomes. Any origin will do. */
export function fetchInProcess<World>(served: Served<World>): Fetch {
  return async (url, init = {}) => {
    const message = new Request(url, init);
    const { pathname, search, host } = new URL(url);
    // The caller's own: a request's signal only follows it, and stops following once the request is collected.
    const signal = init.signal ?? message.signal;
    const outcome = await untilAborted(
      signal,
      // One turn of the loop, as a network would take: callers really run side by side.
      new Promise((resolve) => setImmediate(resolve)).then(async () =>
        drive(served, {
          method: message.method,
          path: pathname,
          query: search.slice(1),
          headers: { host, ...Object.fromEntries(message.headers) },
          body: await message.text(),
        }),
      ),
    );
    switch (outcome.kind) {
      case 'reset':
        throw new TypeError('fetch failed', {
          cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
        });
      case 'stall':
        return await untilAborted(signal, new Promise<never>(() => undefined));
      case 'reply': {
        const { status, headers, body } = outcome.reply;
        return new Response(status === 204 || status === 304 ? null : body, { status, headers });
      }
      case 'truncated': {
        const { status, headers, body } = outcome.reply;
        const bytes = Buffer.from(body);
        const cut = new ReadableStream<Uint8Array>({
          start(controller) {
            controller.enqueue(bytes.subarray(0, Math.floor(bytes.length * outcome.keep)));
            controller.error(new TypeError('terminated'));
          },
        });
        return new Response(cut, { status, headers });
      }
      case 'slow': {
        const { status, headers, body } = outcome.reply;
        return new Response(drip(body, outcome.bytesPerSecond, signal), { status, headers });
      }
    }
  };
}

async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    if (stop) signal.removeEventListener('abort', stop);
  }
}

function drip(body: string, bytesPerSecond: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(body);
  const step = Math.max(1, Math.floor(bytesPerSecond / 10));
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (signal.aborted) return controller.error(signal.reason);
      controller.enqueue(bytes.subarray(sent, sent + step));
      sent += step;
      if (sent >= bytes.length) controller.close();
    },
  });
}
