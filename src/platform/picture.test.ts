import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { drawSquare, pictureMostBytes } from './picture.ts';

const solid = (width: number, height: number, background = '#5e53dd') =>
  sharp({ create: { width, height, channels: 3, background } });

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8 + body.length);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), 4 + body.length);
  return frame;
}

/** A PNG that says it is this large and holds next to nothing. */
function pngOf(width: number, height: number, more: Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...more,
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

test('PNG, JPEG, WebP, and GIF become a square WebP of the requested size', async () => {
  for (const picture of [
    await solid(640, 200).png().toBuffer(),
    await solid(30, 900).jpeg().toBuffer(),
    await solid(64, 64).webp().toBuffer(),
    await solid(300, 300).gif().toBuffer(),
  ]) {
    const drawn = await drawSquare(picture, 256);
    expect(await sharp(drawn).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
  }
});

test('an animation keeps only its first frame', async () => {
  const frames = await Promise.all(
    ['#ff0000', '#00ff00', '#0000ff'].map((color) => solid(40, 40, color).png().toBuffer()),
  );
  const animation = await sharp(frames, { join: { animated: true } })
    .gif({ loop: 0, delay: [50, 50, 50] })
    .toBuffer();
  expect((await sharp(animation).metadata()).pages).toBe(3);
  const drawn = await drawSquare(animation, 64);
  expect((await sharp(drawn).metadata()).pages ?? 1).toBe(1);
  const { dominant } = await sharp(drawn).stats();
  expect(dominant.r).toBeGreaterThan(200);
});

test('a rotated photo is turned upright, and its metadata is removed', async () => {
  const upright = await solid(200, 100, '#ff0000')
    .extend({ right: 200, background: '#0000ff' })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Copyright: 'canary-copyright' }, IFD3: { GPSLatitudeRef: 'N' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer();
  expect(upright.includes('canary-copyright')).toBe(true);
  const drawn = await drawSquare(upright, 64);
  const { exif, icc, xmp, iptc } = await sharp(drawn).metadata();
  expect({ exif, icc, xmp, iptc }).toEqual({});
  expect(Buffer.from(drawn).includes('canary-copyright')).toBe(false);
  const corner = await sharp(drawn).extract({ left: 32, top: 4, width: 1, height: 1 }).raw().toBuffer();
  expect(corner[0]).toBeGreaterThan(200);
});

test('files that are not pictures are refused: SVG with script, HTML, PDF, text', async () => {
  for (const text of [
    '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><foreignObject/></svg>',
    '<!doctype html><script>alert(1)</script>',
    '%PDF-1.7',
    'BM',
    '',
  ]) {
    await expect(drawSquare(Buffer.from(text), 256), text).rejects.toMatchObject({ code: 'PICTURE_TYPE' });
  }
});

test('a polyglot file keeps nothing but its pixels', async () => {
  const script = '/*canary*/;alert(document.domain)//<script>canary()</script>';
  const gif = Buffer.concat([await solid(8, 8).gif().toBuffer(), Buffer.from(script)]);
  const png = Buffer.concat([
    pngOf(16, 16, [chunk('tEXt', Buffer.from(`Comment\0${script}`))]),
    Buffer.from(`PK\x03\x04${script}`),
  ]);
  for (const polyglot of [gif, png]) {
    const drawn = Buffer.from(await drawSquare(polyglot, 256));
    expect(drawn.includes('canary')).toBe(false);
    expect(drawn.subarray(8, 12).toString()).toBe('WEBP');
  }
});

test('a decompression bomb is refused quickly by its declared size', async () => {
  await expect(drawSquare(pngOf(100_000, 100_000), 256)).rejects.toMatchObject({ code: 'PICTURE_SIZE' });
  await expect(drawSquare(pngOf(4_001, 4_000), 256)).rejects.toMatchObject({ code: 'PICTURE_SIZE' });
  const gif = await solid(8, 8).gif().toBuffer();
  const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 8, 0, 8, 0]));
  for (const at of [6, 8, frame + 5, frame + 7]) gif.writeUInt16LE(65_535, at);
  await expect(drawSquare(gif, 256)).rejects.toMatchObject({ code: 'PICTURE_SIZE' });
  await expect(drawSquare(new Uint8Array(pictureMostBytes + 1), 256)).rejects.toMatchObject({ code: 'PICTURE_SIZE' });
});

test('a color profile that unpacks to a hundred megabytes ends in a picture or a refusal', async () => {
  const profile = chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(100_000_000))]));
  const outcome = await drawSquare(pngOf(64, 64, [profile]), 64).then(
    (drawn) => Buffer.from(drawn).subarray(8, 12).toString(),
    (error: { code: string }) => error.code,
  );
  expect(['WEBP', 'PICTURE_BROKEN', 'PICTURE_TYPE']).toContain(outcome);
});

test('a file with a picture header but no picture, or a truncated one, is refused', async () => {
  const whole = await sharp(Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, at) => (at * 7919) % 256)), {
    raw: { width: 300, height: 300, channels: 3 },
  })
    .jpeg()
    .toBuffer();
  for (const broken of [
    Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<script>alert(1)</script>')]),
    Buffer.from('GIF89a=1;alert(1)//'),
    Buffer.from('RIFF\0\0\0\0WEBP<svg onload=alert(1)>'),
    whole.subarray(0, whole.length / 2),
  ]) {
    await expect(drawSquare(broken, 256)).rejects.toMatchObject({
      kind: 'invalid',
      code: expect.stringMatching(/^PICTURE_(TYPE|BROKEN)$/),
    });
  }
});

test('pictures are processed one after another, and too many at once are refused', async () => {
  const picture = await solid(100, 100).png().toBuffer();
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => drawSquare(picture, 32)));
  expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(8);
  await expect(drawSquare(picture, 32)).resolves.toBeInstanceOf(Uint8Array);
});
