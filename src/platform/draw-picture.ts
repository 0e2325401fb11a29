import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';

/**
 * The process that decodes what a stranger uploaded (`picture.ts` starts it): picture on stdin, WebP or PNG on stdout,
 * exit code 3 where it is no picture of ours, 4 where it has too many pixels. It knows no secret and is ended when it
 * takes too long; a flaw in a decoder breaks nothing else.
 */

const [shape = 'square', ...measures] = process.argv.slice(2);
const [width = 256, height = 256, mostPixels = 16_000_000] = measures.map(Number);

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
// An animation keeps its first frame. Only pixels are kept: EXIF, ICC, XMP and hidden data are dropped.
const picture = sharp(bytes, { limitInputPixels: mostPixels, sequentialRead: true, failOn: 'truncated' });
const given = await picture
  .metadata()
  .catch((error: unknown) => process.exit(/pixel limit/.test(String(error)) ? 4 : 3));
if (given.width * given.height > mostPixels) process.exit(4);
const upright = picture.autoOrient();
const shapes: Record<string, () => Sharp> = {
  /** The middle of it. */
  square: () => upright.resize(width, height, { fit: 'cover', position: 'centre' }).webp({ quality: 85 }),
  /** The same for mail programs, which read PNG. */
  badge: () => upright.resize(width, height, { fit: 'cover', position: 'centre' }).png({ palette: true }),
  /** All of it, no larger than it is; mail programs read PNG. */
  inside: () => upright.resize(width, height, { fit: 'inside', withoutEnlargement: true }).png({ palette: true }),
  /** All of it on white, with what a round mask cuts away around it. */
  tile: () =>
    upright
      .resize(Math.round(width * 0.7), Math.round(height * 0.7), { fit: 'contain', background: '#ffffff00' })
      .flatten({ background: '#ffffff' })
      .extend({
        top: Math.floor(height * 0.15),
        bottom: height - Math.round(height * 0.7) - Math.floor(height * 0.15),
        left: Math.floor(width * 0.15),
        right: width - Math.round(width * 0.7) - Math.floor(width * 0.15),
        background: '#ffffff',
      })
      .png({ palette: true }),
};
const draw = shapes[shape];
if (draw === undefined) throw new Error(`there is no shape ${shape}`);
process.stdout.write(await draw().toBuffer());
