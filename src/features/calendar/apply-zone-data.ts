import { noHolds } from '#features/availability/rules/hold-rules.ts';
import { newsOf, type Said } from '#kernel/announcement.ts';
import type { EventBody, RecId } from '#kernel/event.ts';
import { canonicalJson, contentHashOf } from '#kernel/event-hash.ts';
import type { ItemId, UserId } from '#kernel/ids.ts';
import { boundsOf } from '#kernel/recurrence/occurrences.ts';
import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { readingLimits } from '#kernel/work-limits.ts';
import type { App } from '#platform/app.ts';
import { type Database, inTransaction, type Tx } from '#platform/db.ts';
import { inSlices } from '#platform/in-slices.ts';
import { eventsChanged, eventsMoved, instantsChanged } from './events.ts';
import { type KnownReadings, loadClocks } from './load-clocks.ts';
import { respanItems } from './respan-items.ts';
import { spansOf } from './rules/materialise.ts';
import {
  atSameInstant,
  farAtSameInstant,
  haveMoved,
  type Instants,
  renamedInstances,
  renameExceptions,
} from './rules/moved-instants.ts';
import { spanWindow } from './rules/span-window.ts';
import { listRolling, takePlans, unplanItems } from './store/items.ts';
import { listTimed, readZoneData, type TimedItem, writeInstants, writeZoneData } from './store/zone-data.ts';

/** Few enough that all their instances fit into memory, however many they have. */
const pageItems = 200;
const first = '00000000-0000-0000-0000-000000000000';

/** A walk that takes longer is continued by the next job. */
const longestMs = 600_000;

/** The version of the tz database that this process computes with: `2026e`. */
const running = process.versions.tz ?? '';

/**
 * Brings stored instants in line with the time zone data of this process, where any may have been computed with older data.
 * Compares every event, and rewrites those that are at other instants now, or at the same with another clock. Interrupted, it continues after the last page it
 * did. Run again, it changes nothing. A process with older data than the stored instants changes none; they count as its own
 * then, since it may store others.
 */
export async function applyZoneData(app: App, signal: AbortSignal): Promise<void> {
  const { version, nextVersion, doneTo } = await readZoneData(app.db);
  if (version === running) return;
  const done = { version: running, nextVersion: null, doneTo: null };
  if (version > running) return writeZoneData(app.db, done);
  const window = spanWindow(app.clock.nowMs());
  let after: string = nextVersion === running && doneTo !== null ? doneTo : first;
  const startedMs = performance.now();
  while (performance.now() - startedMs < longestMs) {
    signal.throwIfAborted();
    const known: KnownReadings = new Map();
    const page = await listTimed(app.db, { after, limit: pageItems });
    const last = page.at(-1)?.id;
    const moved = await findMoved(app.db, page, window, known);
    const isLast = last === undefined || page.length < pageItems;
    await inTransaction(app.db, async (tx) => {
      await rewrite(app, tx, moved, window, known);
      await writeZoneData(tx, isLast ? done : { version, nextVersion: running, doneTo: last });
    });
    if (isLast) return;
    after = last;
  }
}

interface Moved {
  item: TimedItem;
  computed: Instants;
  body: EventBody;
  renamed: Map<RecId, RecId>;
}

async function findMoved(
  db: Database,
  items: readonly TimedItem[],
  window: { fromMs: number; toMs: number },
  known: KnownReadings,
): Promise<Moved[]> {
  const clocks = new Map<ItemId, Awaited<ReturnType<typeof loadClocks>>>();
  for (const item of items) clocks.set(item.id, await loadClocks(db, item, known));
  function* each(): Sliced<Moved[]> {
    const moved: Moved[] = [];
    for (const item of items) {
      const of = clocks.get(item.id);
      if (of !== undefined) {
        const read = of.keepsInstants ? atSameInstant(item.body, item.stored) : item.body;
        const computed = instantsOf(read, of, window);
        if (read !== item.body || haveMoved(item.stored, computed, window.fromMs)) {
          const renamed = renamedInstances(item.stored, computed, window.fromMs);
          const body = renameExceptions(read, renamed);
          moved.push({
            item,
            computed,
            renamed,
            body: of.keepsInstants ? farAtSameInstant(body, item.stored, renamed) : body,
          });
        }
      }
      yield;
    }
    return moved;
  }
  return inSlices(each());
}

/** As the store has them. An event past its budget is too dense, and has no instances there. */
function instantsOf(
  body: EventBody,
  { calendarZone, ownerZone }: { calendarZone: string; ownerZone: string },
  window: { fromMs: number; toMs: number },
): Instants {
  const budget = new WorkBudget(readingLimits);
  const bounds = withinBudget(() => boundsOf(body, calendarZone, ownerZone, budget), null);
  const reading = { calendarZone, ownerZone, holdRank: noHolds };
  const { spans } = withinBudget(() => spansOf(body, 'foreign', reading, window, budget), { spans: [], problem: null });
  return { startMs: bounds?.startMs ?? null, endMs: bounds?.endMs ?? null, instances: spans };
}

function withinBudget<T>(compute: () => T, past: T): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof WorkLimitError) return past;
    throw error;
  }
}

/** Rewrites what was found to have moved, as it is now that nobody else can change it. */
async function rewrite(
  app: App,
  tx: Tx,
  found: readonly Moved[],
  window: { fromMs: number; toMs: number },
  known: KnownReadings,
): Promise<void> {
  if (found.length === 0) return;
  await takePlans(tx, [...new Set(found.map(({ item }) => item.calendarId))]);
  const itemIds = found.map(({ item }) => item.id);
  await listRolling(tx, { itemIds });
  const moved = await findMoved(tx, await listTimed(tx, { itemIds }), window, known);
  if (moved.length === 0) return;
  await writeInstants(
    tx,
    moved.map(({ item: { id }, body, computed: { startMs, endMs } }) => {
      const bodyText = canonicalJson(body);
      return { id, startMs, endMs, bodyText, hash: contentHashOf(body, bodyText) };
    }),
  );
  const items = moved.map(({ item, body }) => ({ ...item, body, provenance: 'foreign' as const }));
  await respanItems(tx, items, window, known);
  const ofUser = [...Map.groupBy(moved, ({ item }) => item.userId)];
  // rows of blocks before the list of what is planned, as everybody else who takes both
  await app.news.announceAll(tx, ofUser.map(changeOf));
  await unplanItems(
    tx,
    items.map(({ id }) => id),
  );
  const calendarIds = [...new Set(items.map(({ calendarId }) => calendarId))];
  await app.news.announceAll(tx, [
    ...ofUser.map(([userId]) => newsOf(eventsMoved, { userId })),
    ...calendarIds.map((calendarId) => newsOf(eventsChanged, { calendarId, more: false })),
  ]);
  for (const [userId] of ofUser) await app.feed.publish(tx, userId, 'calendar');
}

function changeOf([userId, moved]: [UserId, Moved[]]): Said {
  const renamed = moved.flatMap((one) => [...one.renamed].map(([from, to]) => ({ itemId: one.item.id, from, to })));
  return newsOf(instantsChanged, { userId, itemIds: moved.map(({ item }) => item.id), renamed });
}
