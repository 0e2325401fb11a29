import type { PageCall } from '#platform/page-route.ts';

/** Set by embed.ts: the page is in a frame of another site, whose origin is told, if the host allows it there. */
export function readEmbedding({ query, form }: PageCall, frames: readonly string[]): { origin: string } | null {
  const origin = query.get('embed') ?? form.get('embed');
  return origin !== null && frames.includes(origin) ? { origin } : null;
}
