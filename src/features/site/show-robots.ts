import type { App } from '#platform/app.ts';
import type { RawAnswer } from '#platform/raw-route.ts';

/** Of people and their guests: nothing there is for a search engine. */
const privatePlaces = [
  '/api/',
  '/auth/',
  '/l/',
  '/booked/',
  '/admin',
  '/subscribe/',
  '/unsubscribe/',
  '/mfa/',
  '/join',
];

export async function showRobots({ config }: App): Promise<RawAnswer> {
  const lines = [
    'User-agent: *',
    ...privatePlaces.map((place) => `Disallow: ${place}`),
    'Allow: /api/docs',
    '',
    `Sitemap: ${config.publicUrl}/sitemap.xml`,
    '',
  ];
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
    body: lines.join('\n'),
  };
}
