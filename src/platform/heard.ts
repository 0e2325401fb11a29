import type { Readable, Writable } from 'node:stream';

/**
 * A stream whose `error` always has a listener. One that fails before somebody reads it, or after they left, would end the
 * process: a copy stream does so when its connection ends. Whoever reads it later still meets the error.
 */
export function heard<Stream extends Readable | Writable>(stream: Stream): Stream {
  stream.on('error', (error) => void stream.destroy(error));
  return stream;
}
