import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';

/** Draws the icons of an installed Holdfast from `public/icon.svg`: for those who do not take a drawing. */

const root = join(import.meta.dirname, '..', 'public');
const drawing = readFileSync(join(root, 'icon.svg'));
mkdirSync(join(root, 'icons'), { recursive: true });

/** `share` of the square is the drawing; what is round it is white, or nothing. */
async function draw(name: string, size: number, share: number, isOnWhite: boolean): Promise<void> {
  const inner = Math.round(size * share);
  const mark = await sharp(drawing, { density: (72 * inner) / 24 })
    .resize(inner, inner)
    .png()
    .toBuffer();
  const background = isOnWhite ? '#ffffff' : { r: 0, g: 0, b: 0, alpha: 0 };
  await sharp({ create: { width: size, height: size, channels: 4, background } })
    .composite([{ input: mark, gravity: 'center' }])
    .png({ compressionLevel: 9, palette: true })
    .toFile(join(root, 'icons', `${name}.png`));
}

await Promise.all([
  draw('192', 192, 1, false),
  draw('512', 512, 1, false),
  // launchers cut it to a circle of four fifths
  draw('maskable', 512, 0.6, true),
  draw('touch', 180, 0.75, true),
]);
