import { createHash } from 'node:crypto';
import type { Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { keepBrandPicture, logoUrl } from '#platform/brand.ts';
import { takeAllowance } from '#platform/limits.ts';
import { drawAnew } from '#platform/picture.ts';
import type { brandingEndpoints } from './rules/branding-endpoints.ts';

/** Three pixels for one where it is shown highest. */
const most = { width: 480, height: 96 };
const iconSide = 512;
const drawings = { action: 'drawing a logo', burst: 30, periodSeconds: 3_600 };

/** Nothing but the pixels of what was uploaded is left. *Errors*: as `drawSquare`, and AppError limited. */
export async function drawLogo(
  { db }: Pick<App, 'db'>,
  { userId }: Actor,
  picture: Uint8Array,
): Promise<Output<typeof brandingEndpoints.drawLogo>> {
  await takeAllowance(db, drawings, userId);
  const logo = await drawAnew(picture, { shape: 'inside', ...most });
  const icon = await drawAnew(picture, { shape: 'tile', width: iconSide, height: iconSide });
  const drawn = { file: createHash('sha256').update(logo).digest('hex').slice(0, 32), ...sizeOfPng(logo) };
  await keepBrandPicture(db, { ...drawn, logo, icon });
  return { ...drawn, url: logoUrl(drawn) };
}

/** Of its first chunk, IHDR. */
function sizeOfPng(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
