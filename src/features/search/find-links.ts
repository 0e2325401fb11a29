import type * as z from 'zod/mini';
import { listMeetingLinks } from '#features/booking/public.ts';
import { foldText } from '#kernel/fold-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { linkHitShape } from './contract.ts';
import type { Wanted } from './rules/wanted.ts';

/** Booking links by their names, or all of them by what they are; a person has few enough to look at each. */
export async function findLinks(
  app: App,
  actor: Actor,
  wanted: Wanted,
  limit: number,
): Promise<z.output<typeof linkHitShape>[]> {
  const found = (await listMeetingLinks(app, actor)).flatMap(({ eventTypeId, title, url }) => {
    const text = ` ${foldText(`${title} booking link ${URL.parse(url)?.pathname ?? ''}`)}`;
    if (!wanted.words.every((word) => text.includes(` ${word}`))) return [];
    return [{ hit: { event_type_id: eventTypeId, title, url }, isFirst: text.startsWith(` ${wanted.whole}`) }];
  });
  found.sort((one, other) => Number(other.isFirst) - Number(one.isFirst));
  return found.slice(0, limit).map(({ hit }) => hit);
}
