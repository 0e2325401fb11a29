import { listReaders } from '#features/accounts/public.ts';
import { listCalendars, listUnwell } from '#features/connections/public.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { type Reader, type ToldTrouble, troubleMail } from './mail.ts';
import type { KnownTrouble } from './store/troubles.ts';
import { keepTroubles, listOpenBreakers, markTold } from './store/troubles.ts';

/**
 * Tells people by mail what of their syncing does not work and will not by itself: once for each trouble, whoever wants
 * to be told. Asked again at every round, so that a mail goes out as soon as they do.
 */
export async function tellTroubles(app: App): Promise<void> {
  const [unwell, breakers] = await Promise.all([listUnwell(app.db), listOpenBreakers(app.db)]);
  const troubles = [
    ...unwell.map(({ userId, kind, id: subject }) => ({ userId, kind, subject })),
    ...breakers.map(({ userId, source, target }) => ({
      userId,
      kind: 'breaker' as const,
      subject: `${source} ${target}`,
    })),
  ];
  const untold = await inTransaction(app.db, (tx) => keepTroubles(tx, troubles));
  if (untold.length === 0) return;
  const byPerson = Map.groupBy(untold, (trouble) => trouble.userId);
  for (const reader of await listReaders(app.db, [...byPerson.keys()], 'syncErrors')) {
    await tellOne(app, reader, byPerson.get(reader.id) ?? [], unwell, breakers);
  }
}

async function tellOne(
  app: App,
  reader: Reader,
  own: KnownTrouble[],
  unwell: Awaited<ReturnType<typeof listUnwell>>,
  breakers: Awaited<ReturnType<typeof listOpenBreakers>>,
): Promise<void> {
  const names = new Map((await listCalendars(app.db, reader.id)).map(({ id, name }) => [id as string, name]));
  const told = own.flatMap((trouble): ToldTrouble[] => {
    const { kind, subject, sinceMs } = trouble;
    if (kind !== 'breaker') {
      const account = unwell.find((one) => one.id === subject);
      return account === undefined ? [] : [{ kind, sinceMs, account: account.label, reason: account.message }];
    }
    const pair = breakers.find(({ source, target }) => subject === `${source} ${target}`);
    if (pair === undefined) return [];
    const [source, target] = [names.get(pair.source) ?? '?', names.get(pair.target) ?? '?'];
    return [{ kind, sinceMs, source, target, blocks: pair.deletes }];
  });
  if (told.length === 0) return;
  await inTransaction(app.db, async (tx) => {
    if (await markTold(tx, reader.id, own)) await app.mail.send(tx, troubleMail(reader, told, app.config.publicUrl));
  });
}
