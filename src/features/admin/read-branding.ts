import type { Output } from '#kernel/contract.ts';
import type { App } from '#platform/app.ts';
import { type BrandPicture, logoUrl, readBrand } from '#platform/brand.ts';
import type { brandingEndpoints } from './rules/branding-endpoints.ts';

/** As it stands in the database now. */
export async function readBranding({ db }: Pick<App, 'db'>): Promise<Output<typeof brandingEndpoints.readBranding>> {
  const { chosen, logo, darkLogo } = await readBrand(db);
  return { name: chosen.name, color: chosen.color, logo: logo && view(logo), darkLogo: darkLogo && view(darkLogo) };
}

const view = (picture: BrandPicture) => ({ ...picture, url: logoUrl(picture) });
