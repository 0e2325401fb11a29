import { createHash } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import { listSearchable, listVersionsSince } from '#features/calendar/public.ts';
import { findCalendar, listConnections } from '#features/connections/public.ts';
import type { CalendarId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, readDatabaseTime } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { documentEdition, documentOf, personText } from './rules.ts';
import { findIndexTime, listStaleItems, replaceDocuments, updateIndexTime } from './store.ts';

/** Versions compared at once, and texts written in one transaction. */
const comparedAtOnce = 5_000;
const writtenAtOnce = 250;
/** Longer than any transaction that stores events: what it wrote carries the time of its beginning. */
const overlap = Temporal.Duration.from({ minutes: 10 });

/**
 * Brings the index in line with a calendar: what changed since the last time, or everything. Compares versions, so that
 * reading a change twice writes nothing; what is gone goes with its item.
 */
export async function refreshDocuments(
  app: Pick<App, 'db' | 'feed'>,
  calendarId: CalendarId,
  options: { all?: boolean; signal: AbortSignal },
): Promise<void> {
  const { db } = app;
  const calendar = await findCalendar(db, calendarId);
  if (calendar === null) return;
  const startedAt = await readDatabaseTime(db);
  const seenAt = options.all ? null : await findIndexTime(db, calendarId);
  const since = seenAt?.subtract(overlap) ?? null;
  const own = await listOwnAddresses(db, calendar.userId);
  // a text depends on the user's own addresses too: a new account makes every text stale
  const reader = createHash('sha256')
    .update([...own].sort().join(' '))
    .digest('base64url')
    .slice(0, 8);
  const readVersion = (version: string) => `${documentEdition} ${reader} ${version}`;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const page = await listVersionsSince(db, calendarId, since, { after, limit: comparedAtOnce });
    const unread = await listStaleItems(
      db,
      page.map(({ id, version }) => ({ id, version: readVersion(version) })),
    );
    for (let start = 0; start < unread.length; start += writtenAtOnce) {
      options.signal.throwIfAborted();
      const ids = unread.slice(start, start + writtenAtOnce);
      await inTransaction(db, async (tx) => {
        const items = await listSearchable(tx, ids);
        const documents = await inSlices(toDocuments(items, own, readVersion));
        if (documents.length === 0) return;
        await replaceDocuments(tx, calendar.userId, documents);
        await app.feed.publish(tx, calendar.userId, 'search');
      });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < comparedAtOnce) break;
    after = last.id;
  }
  await updateIndexTime(db, calendarId, startedAt);
}

function* toDocuments(
  items: Awaited<ReturnType<typeof listSearchable>>,
  own: ReadonlySet<string>,
  readVersion: (version: string) => string,
) {
  const documents = [];
  for (const item of items) {
    const { text, people } = documentOf(item.body, own);
    documents.push({
      itemId: item.id,
      version: readVersion(item.version),
      text,
      people: people.map((one) => ({ ...one, text: personText(one) })),
      startsMs: item.startsMs,
      endsMs: item.endsMs,
    });
    yield;
  }
  return documents;
}

/** The user's own addresses, in lower case. They are not people the user meets. */
async function listOwnAddresses(db: Database, userId: UserId): Promise<Set<string>> {
  const [owner, connections] = await Promise.all([loadOwner(db, userId), listConnections(db, userId)]);
  const addresses = connections.flatMap(({ addresses: known, username, label }) => [...known, username ?? '', label]);
  return new Set([owner.email, ...addresses].map((address) => address.toLowerCase()));
}
