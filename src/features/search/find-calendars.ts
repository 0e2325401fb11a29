import type * as z from 'zod/mini';
import { faceOf, listCalendars, listConnections } from '#features/connections/public.ts';
import { foldText } from '#kernel/fold-text.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { calendarHitShape } from './contract.ts';
import type { Wanted } from './rules/wanted.ts';

/** A person has few enough to look at each. */
export async function findCalendars(
  app: Pick<App, 'db'>,
  actor: Actor,
  wanted: Wanted,
  limit: number,
): Promise<z.output<typeof calendarHitShape>[]> {
  const [calendars, connections] = await Promise.all([
    listCalendars(app.db, actor.userId),
    listConnections(app.db, actor.userId),
  ]);
  const found = calendars.flatMap((calendar) => {
    const connection = connections.find((one) => one.id === calendar.connectionId);
    if (calendar.removed || connection === undefined) return [];
    const text = ` ${foldText(`${calendar.name} ${connection.label}`)}`;
    if (!wanted.words.every((word) => text.includes(` ${word}`))) return [];
    const { id, name, color } = calendar;
    const hit = { calendar_id: id, name, account: connection.label, provider: faceOf(connection).word, color };
    return [{ hit, isFirst: text.startsWith(` ${wanted.whole}`) }];
  });
  found.sort((one, other) => Number(other.isFirst) - Number(one.isFirst));
  return found.slice(0, limit).map(({ hit }) => hit);
}
