import type { App } from '#platform/app.ts';
import type { RawAnswer } from '#platform/raw-route.ts';
import { loadDocs } from './load-docs.ts';

/** The pages of the site itself; whether people want their booking pages found is theirs to say. */
export async function showSitemap({ config }: App): Promise<RawAnswer> {
  const places = ['/', ...loadDocs().map(({ name }) => `/docs/${name}`), '/privacy', '/terms', '/security'];
  const urls = places.map((place) => `<url><loc>${config.publicUrl}${place}</loc></url>`).join('');
  return {
    status: 200,
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    body: `<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>`,
  };
}
