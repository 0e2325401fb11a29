import { escapeHtml, html } from '#kernel/html.ts';
import { directionOf } from '#kernel/languages.ts';
import { ownName } from '#kernel/product-name.ts';
import { type Brand, type BrandPicture, iconUrl, logoUrl } from './brand.ts';
import { ownWords } from './own-words.ts';
import { iconLink } from './page-document.ts';

/** The document of the application with the look of the install; it tells the rest to the browser in one element. */
export function brandDocument(document: string, brand: Brand): string {
  if (Object.values(brand.chosen).every((choice) => choice === null)) return document;
  const { name, logo, darkLogo, chosen } = brand;
  const told = JSON.stringify({
    name,
    ...(chosen.color === null ? {} : { color: chosen.color }),
    ...(logo === null ? {} : { logo: tell(logo) }),
    ...(darkLogo === null ? {} : { darkLogo: tell(darkLogo) }),
  });
  const named = document
    .replace(/<title>[^<]*<\/title>/, () => html`<title>${name}</title><meta name="brand" content="${told}" />`.text)
    .replace(`<noscript>${ownName}`, () => `<noscript>${escapeHtml(name)}`);
  return logo === null
    ? named
    : named
        .replace(/<link rel="icon"[^>]*>/, () => iconLink(brand).text)
        .replace(/(<link rel="apple-touch-icon" href=")[^"]*/, (_, before: string) => `${before}${iconUrl(logo)}`);
}

const tell = (picture: BrandPicture) => ({ src: logoUrl(picture), width: picture.width, height: picture.height });

interface Manifest {
  shortcuts?: { name: string; url: string }[];
}

/** How the installed app is called, what it says of itself, and how it looks among others. */
export function brandManifest(manifest: string, { name, accent, logo, chosen }: Brand, language: string): string {
  const own = JSON.parse(manifest) as Manifest;
  const words = ownWords(language);
  const named: Readonly<Record<string, string>> = {
    '/calendar?new=1': words['app.event'],
    '/meetings': words['app.meetings'],
    '/booking-links': words['app.links'],
  };
  return JSON.stringify({
    ...own,
    lang: language,
    dir: directionOf(language),
    description: words['app.text'],
    shortcuts: own.shortcuts?.map((one) => ({ ...one, name: named[one.url] ?? one.name })),
    ...(chosen.name === null ? {} : { name, short_name: name }),
    ...(chosen.color === null ? {} : { theme_color: accent }),
    ...(logo === null
      ? {}
      : {
          icons: ['any', 'maskable'].map((purpose) => ({
            src: iconUrl(logo),
            sizes: '512x512',
            type: 'image/png',
            purpose,
          })),
        }),
  });
}
