import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/**
 * The process that decodes what a stranger uploaded (`picture.ts` starts it): picture on stdin, square WebP on stdout,
 * exit code 3 where it is no picture of ours, 4 where it has too many pixels. It knows no secret and is ended when it
 * takes too long; a flaw in a decoder breaks nothing else.
 */

const [side = 256, mostPixels = 16_000_000] = process.argv.slice(2).map(Number);

// Everything else libvips reads (SVG, PDF, TIFF, what ImageMagick reads) stays shut.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadNsgifBuffer',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

const bytes = await buffer(process.stdin);
// Of an animation the first frame. Nothing but pixels comes through: EXIF, ICC, XMP and what is hidden behind them does not.
const picture = sharp(bytes, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'truncated' });
const { width, height } = await picture
  .metadata()
  .catch((error: unknown) => process.exit(/pixel limit/.test(String(error)) ? 4 : 3));
if (width * height > mostPixels) process.exit(4);
const drawn = await picture
  .autoOrient()
  .resize(side, side, { fit: 'cover', position: 'centre' })
  .webp({ quality: 85 })
  .toBuffer();
process.stdout.write(drawn);
