import { join } from 'node:path';
import { pageWords, readVisitor } from '#features/booking/public.ts';
import { fillWords } from '#features/booking/rules/fill-words.ts';
import { callIt } from '#kernel/product-name.ts';
import type { App } from '#platform/app.ts';
import { type BrandPicture, logoUrl } from '#platform/brand.ts';
import type { PageCall } from '#platform/page-route.ts';
import type { SiteFrameData } from './rules/site-data.ts';

const sayings = pageWords(join(import.meta.dirname, 'page/words'));

/** What it says of Holdfast itself, whatever the install is called. */
const aboutTheSoftware = ['footer.source', 'pricing.free-text'];

const tell = (picture: BrandPicture) => ({ src: logoUrl(picture), width: picture.width, height: picture.height });

export interface SiteVisitor {
  language: string;
  locale: string;
  hour12: boolean;
  /** How the install is called. */
  product: string;
  say: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  frame: SiteFrameData;
}

/** Who reads a page of the site, and what stands around each of them. */
export function readSiteVisitor({ config, brand }: Pick<App, 'config' | 'brand'>, call: PageCall): SiteVisitor {
  const { language, reading } = readVisitor(call, { zone: 'UTC' });
  const { name: product, logo, darkLogo } = brand.current();
  const said: Record<string, string> = sayings(language);
  const words = {
    ...callIt(said, product),
    ...Object.fromEntries(aboutTheSoftware.map((key) => [key, said[key] ?? key])),
  };
  const look = { product, logo: logo && tell(logo), darkLogo: darkLogo && tell(darkLogo) };
  const { name = null, contact = null, blog = null } = config.operator;
  return {
    language,
    product,
    locale: reading.locale,
    hour12: reading.hour12,
    say: (key, values) => fillWords(words, key, values),
    frame: { words, ways: call.tongues.ways, language, ...look, operator: name, contact, blog },
  };
}
