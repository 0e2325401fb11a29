import { createHash } from 'node:crypto';
import { recordAct } from '#features/accounts/audit/public.ts';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import { ownName } from '#kernel/product-name.ts';
import { shownName } from '#kernel/text/shown-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import {
  type BrandPicture,
  findBrandPicture,
  keepBrandPicture,
  logoUrl,
  readBrand,
  saveBrand,
} from '#platform/brand.ts';
import { inTransaction } from '#platform/db.ts';
import { takeAllowance } from '#platform/limits.ts';
import { drawAnew } from '#platform/picture.ts';
import type { RawAnswer, RawCall } from '#platform/raw-route.ts';
import type { RequestFacts } from '#platform/routes.ts';
import type { brandingEndpoints } from './contract.ts';

/** As it stands in the database now. */
export async function getBranding({ db }: Pick<App, 'db'>): Promise<Output<typeof brandingEndpoints.readBranding>> {
  const { chosen, logo, darkLogo } = await readBrand(db);
  return { name: chosen.name, color: chosen.color, logo: logo && view(logo), darkLogo: darkLogo && view(darkLogo) };
}

const view = (picture: BrandPicture) => ({ ...picture, url: logoUrl(picture) });

type Change = typeof brandingEndpoints.changeBranding;

/** *Errors*: AppError invalid (NO_PICTURE) for a logo that was not made, or too long ago. */
export async function changeBranding(
  app: Pick<App, 'db' | 'brand'>,
  actor: Actor,
  { reason, ...given }: Input<Change>['body'],
  request: RequestFacts,
): Promise<Output<Change>> {
  const name = given.name == null ? null : shownName(given.name.replace(/\s+/g, ' '), 'name');
  const chosen = { ...given, name: name === ownName ? null : name };
  await inTransaction(app.db, async (tx) => {
    if (!(await saveBrand(tx, chosen))) {
      throw new AppError('invalid', 'NO_PICTURE', 'This logo no longer exists. Upload it again.');
    }
    await recordAct(tx, {
      actorId: actor.userId,
      action: 'branding_change',
      subject: { kind: 'setting', id: 'branding' },
      reason,
      request,
      details: {
        name: chosen.name ?? ownName,
        color: chosen.color ?? 'default',
        logo: chosen.logo !== null,
        darkLogo: chosen.darkLogo !== null,
      },
    });
  });
  await app.brand.look();
  return getBranding(app);
}

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

/** Reads the size from IHDR, the first chunk. */
function sizeOfPng(png: Uint8Array): { width: number; height: number } {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** A logo, or the icon of the install; it never changes, as another has another name. *Errors*: AppError not-found. */
export async function serveBrand({ db }: App, { params }: RawCall): Promise<RawAnswer> {
  const [, file, icon] = /^([a-z0-9]{32})(-icon)?\.png$/.exec(params.file ?? '') ?? [];
  const bytes = file === undefined ? null : await findBrandPicture(db, file, icon === undefined ? 'logo' : 'icon');
  if (bytes === null) throw new AppError('not-found', 'NOT_FOUND', 'Picture not found.');
  return {
    status: 200,
    headers: {
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    },
    body: bytes,
  };
}
