import type * as z from 'zod/mini';
import { listPlaces, listTitles } from '#features/calendar/public.ts';
import { listCalendars } from '#features/connections/public.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { mirrorLinkShape } from './contract.ts';
import { countByOrigin, listOriginsOfBlocks } from './store/console.ts';

type MirrorLink = z.output<typeof mirrorLinkShape>;

/** Mirror data for all items of a week in the grid, in five queries whatever their number. */
export async function listMirrorLinks(app: App, actor: Actor, itemIds: string[]): Promise<MirrorLink[]> {
  const items = await listPlaces(app.db, actor.userId, itemIds as ItemId[]);
  const foreign = items.filter((item) => item.provenance === 'foreign').map(({ id }) => id);
  const blocks = items.filter((item) => item.provenance === 'own');
  const [counted, origins, calendars] = await Promise.all([
    countByOrigin(app.db, actor.userId, foreign),
    listOriginsOfBlocks(app.db, actor.userId, blocks),
    listCalendars(app.db, actor.userId),
  ]);
  const originIds = [...new Set(origins.map((one) => one.originItemId))];
  const titles = await listTitles(app.db, actor.userId, originIds, app.clock.nowMs());
  const nameOf = new Map(calendars.map((calendar) => [calendar.id, calendar.name]));
  return [
    ...counted.map(({ originItemId, ...counts }) => ({ item_id: originItemId, origin: null, counts })),
    ...origins.map(({ blockItemId, originItemId, originCalendarId }) => ({
      item_id: blockItemId,
      origin: {
        item_id: originItemId,
        title: titles.get(originItemId)?.title ?? 'Untitled',
        calendar_name: nameOf.get(originCalendarId) ?? '',
      },
      counts: null,
    })),
  ];
}
