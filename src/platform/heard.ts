import type { Readable, Writable } from 'node:stream';

/**
 * Returns the stream with a permanent `error` listener. Without one, an error before or after it is read would end the
 * process: a copy stream fails when its connection ends. Later readers still get the error.
 */
export function heard<Stream extends Readable | Writable>(stream: Stream): Stream {
  stream.on('error', (error) => void stream.destroy(error));
  return stream;
}
