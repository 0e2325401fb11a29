import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { AppError } from '#kernel/errors.ts';

/** Size limit of uploads. */
export const pictureMostBytes = 2 * 1024 * 1024;
const mostPixels = 16_000_000;
/** A picture of 16 megapixels takes half a second. */
const timeoutMs = 10_000;
/** More than this wait for their turn nowhere: a process draws one at a time. */
const mostWaiting = 8;
const notAPicture = 3;
const tooManyPixels = 4;

const program = join(import.meta.dirname, 'draw-picture.ts');

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Shape of the redrawn picture: `square` its middle as WebP; as PNG `badge` its middle, `inside` all of it, `tile` all
 * of it on white.
 */
export interface Drawing {
  shape: 'square' | 'badge' | 'inside' | 'tile';
  width: number;
  height: number;
}

/**
 * Returns the middle of a picture as a redrawn WebP square of `side` pixels: nothing of the file but its pixels is
 * kept. PNG, JPEG, WebP and GIF (its first frame) are read, in a separate process that contains a decompression bomb.
 *
 * *Errors*: AppError invalid (PICTURE_TYPE, PICTURE_SIZE, PICTURE_BROKEN), unavailable.
 */
export function drawSquare(bytes: Uint8Array, side: number): Promise<Uint8Array> {
  return drawAnew(bytes, { shape: 'square', width: side, height: side });
}

/** The same in another shape. *Errors*: as `drawSquare`. */
export async function drawAnew(bytes: Uint8Array, drawing: Drawing): Promise<Uint8Array> {
  if (bytes.byteLength > pictureMostBytes) throw tooLarge('The picture is larger than 2 MB.');
  if (!isPicture(bytes)) throw wrongType();
  if (waiting >= mostWaiting) {
    throw new AppError('unavailable', 'UNAVAILABLE', 'Too many pictures are being processed. Try again in a moment.');
  }
  waiting += 1;
  const turn = last.then(() => draw(bytes, drawing));
  last = turn.catch(() => undefined).finally(() => (waiting -= 1));
  return turn;
}

async function draw(bytes: Uint8Array, { shape, width, height }: Drawing): Promise<Uint8Array> {
  const child = spawn(process.execPath, [program, shape, ...[width, height, mostPixels].map(String)], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {}, // the keys of the install are in ours
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  child.stdin.on('error', () => undefined); // the process may end before it has read all
  child.stdin.end(bytes);
  const [drawn, code] = await Promise.all([buffer(child.stdout), ended]);
  if (code === 0 && drawn.byteLength > 0) return drawn;
  if (code === notAPicture) throw wrongType();
  if (code === tooManyPixels) throw tooLarge('The picture has more than 16 million pixels.');
  throw new AppError('invalid', 'PICTURE_BROKEN', "This picture can't be read. Your picture is unchanged.");
}

const wrongType = () =>
  new AppError('invalid', 'PICTURE_TYPE', 'Use a PNG, JPEG, WebP or GIF picture. Your picture is unchanged.');

const tooLarge = (why: string) =>
  new AppError('invalid', 'PICTURE_SIZE', `This picture is too large. ${why} Your picture is unchanged.`);

/** By its first bytes; what it is called or said to be counts for nothing. */
function isPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  return (
    ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF87a', 'GIF89a'].some((first) => head.startsWith(first)) ||
    (head.startsWith('RIFF') && head.endsWith('WEBP'))
  );
}
