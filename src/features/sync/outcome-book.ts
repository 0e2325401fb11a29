import { loadOwnerZone } from '#features/accounts/public.ts';
import {
  applyChanges,
  type CalendarOwner,
  type HashedItem,
  listStored,
  readVersions,
  takePlans,
  unplanItems,
} from '#features/calendar/public.ts';
import type { Calendar, Connection } from '#features/connections/public.ts';
import type { ProviderError } from '#kernel/errors.ts';
import type { CalendarId, ItemId, MirrorId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { inTransaction, send, type Tx } from '#platform/db.ts';
import { planningWanted } from './events.ts';
import type { AuditLine } from './store/audit.ts';
import { appendAudit } from './store/audit.ts';
import { holdsFence } from './store/fences.ts';
import type { DueMirror, Outcome } from './store/mirrors.ts';
import { storeOutcomes } from './store/mirrors.ts';
import { markTouched } from './store/own-blocks.ts';
import type { WriteResult } from './write-block.ts';

/** Another writer took over this account: what we know of it is out of date, and our outcomes are refused. */
export class FenceLost extends Error {
  constructor() {
    super('another writer has taken over this account');
    this.name = 'FenceLost';
  }
}

const tellEveryMs = 500;
/** Outcomes are stored when nothing is under way, when this many wait, or when the first has waited this long. */
const fullBatch = 500;
const lateMs = 100;

interface Entry {
  row: DueMirror;
  outcome: Outcome;
  line: AuditLine;
  /**
   * The block as it is now in the target, for the event store. `over`: the versions that the write may have replaced.
   */
  item: (HashedItem & { over: (string | null)[] }) | null;
  gone: string | null;
}

/**
 * Keeps the outcomes of calls and stores them in batches: while one transaction is under way the next batch gathers, so
 * a lone outcome is stored at once and a thousand take a few statements. One row, one audit line, one item each.
 */
export class OutcomeBook {
  readonly #app: App;
  readonly #connection: Connection;
  readonly #calendars: ReadonlyMap<CalendarId, Calendar>;
  readonly #token: number;
  #entries: Entry[] = [];
  #storingNow: Entry[] = [];
  #ownerZone: string | null = null;
  #toldMs = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  #late: NodeJS.Timeout | null = null;
  #storing: Promise<void> | null = null;
  #failure: Error | null = null;

  constructor(app: App, connection: Connection, calendars: ReadonlyMap<CalendarId, Calendar>, token: number) {
    this.#app = app;
    this.#connection = connection;
    this.#calendars = calendars;
    this.#token = token;
  }

  /** True once outcomes could not be stored: no further call may be made. */
  get failed(): boolean {
    return this.#failure !== null;
  }

  /** Rows whose outcome the database does not show yet. Rows that a later query returns and this list lacks are due. */
  unstored(): MirrorId[] {
    return [...this.#storingNow, ...this.#entries].map((entry) => entry.row.id);
  }

  /** Runs a call; its outcome is told to this book before it ends. */
  async call(work: () => Promise<void>): Promise<void> {
    this.#underWay += 1;
    try {
      await work();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0 && this.#entries.length > 0) this.#storeSoon();
    }
  }

  done(row: DueMirror, result: WriteResult, durationMs: number): void {
    switch (result.kind) {
      case 'written': {
        const hash = row.desiredHash ?? '';
        this.#add({
          row,
          outcome: {
            id: row.id,
            kind: 'written',
            generation: row.generation,
            hash,
            ref: result.ref,
            version: result.version,
          },
          line: line(row, durationMs, {
            type:
              result.how === 'created'
                ? 'mirror.created'
                : result.how === 'updated'
                  ? 'mirror.updated'
                  : 'mirror.repaired',
            message: messages[result.how],
            afterHash: hash,
            ...(result.requestId === undefined ? {} : { requestId: result.requestId }),
          }),
          item:
            row.desired === null || row.desiredText === null
              ? null
              : {
                  ref: result.ref,
                  version: result.version,
                  provenance: 'own',
                  body: row.desired,
                  stored: { bodyText: row.desiredText, hash },
                  over: [row.version, result.over],
                },
          gone: null,
        });
        return;
      }
      case 'removed':
        this.#add({
          row,
          outcome: { id: row.id, kind: 'removed' },
          line: line(row, durationMs, { type: 'mirror.deleted', message: 'Block removed.' }),
          item: null,
          gone: row.ref,
        });
        return;
      case 'gone':
        this.#add({
          row,
          outcome: { id: row.id, kind: 'gone', generation: row.generation },
          line: line(row, durationMs, {
            type: 'mirror.drift',
            message: 'The block is no longer in its calendar.',
            status: 'pending',
          }),
          item: null,
          gone: row.ref,
        });
        return;
      case 'burnt':
        this.#add({
          row,
          outcome: { id: row.id, kind: 'burnt', generation: row.generation },
          line: line(row, durationMs, {
            type: 'mirror.retry',
            message: 'The calendar refused to reuse this id. Trying again with a new one.',
            status: 'pending',
          }),
          item: null,
          gone: null,
        });
    }
  }

  failedFor(row: DueMirror, error: ProviderError, durationMs: number): void {
    const { code, message } = error;
    this.#add({
      row,
      outcome: { id: row.id, kind: 'failed', code, message },
      line: line(row, durationMs, {
        type: 'mirror.failed',
        message,
        errorCode: code,
        status: 'error',
        ...requestOf(error),
      }),
      item: null,
      gone: null,
    });
  }

  later(
    row: DueMirror,
    error: ProviderError,
    when: { notBeforeMs: number; counts: boolean; durationMs: number },
  ): void {
    const { code, message } = error;
    this.#add({
      row,
      outcome: { id: row.id, kind: 'later', code, message, notBeforeMs: when.notBeforeMs, counts: when.counts },
      line: line(row, when.durationMs, {
        type: 'mirror.retry',
        message,
        errorCode: code,
        status: 'pending',
        ...requestOf(error),
      }),
      item: null,
      gone: null,
    });
  }

  /** Resolves when everything told so far is stored. Errors: FenceLost, and the database's. */
  async flushed(): Promise<void> {
    if (this.#entries.length > 0) this.#storeSoon();
    while (this.#storing !== null) await this.#storing;
    if (this.#failure !== null) throw this.#failure;
  }

  /** The same, but silent: for the way out of a run that failed already. */
  async close(): Promise<void> {
    if (this.#entries.length > 0 && this.#failure === null) this.#storeSoon();
    while (this.#storing !== null) await this.#storing;
    if (this.#late !== null) clearTimeout(this.#late);
  }

  #add(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length >= fullBatch) this.#storeSoon();
    else this.#late ??= setTimeout(() => this.#storeSoon(), lateMs);
  }

  #storeSoon(): void {
    if (this.#late !== null) clearTimeout(this.#late);
    this.#late = null;
    this.#storing ??= this.#storeAll();
  }

  async #storeAll(): Promise<void> {
    try {
      do {
        this.#storingNow = this.#entries.splice(0, fullBatch);
        await this.#store(this.#storingNow);
        this.#storingNow = [];
      } while (this.#entries.length >= fullBatch);
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    } finally {
      this.#storing = null;
      if (this.#entries.length > 0 && this.#failure === null) {
        if (this.#underWay === 0) this.#storeSoon();
        else this.#late ??= setTimeout(() => this.#storeSoon(), lateMs);
      }
    }
  }

  async #store(entries: Entry[]): Promise<void> {
    const app = this.#app;
    const { userId } = this.#connection;
    await inTransaction(app.db, async (tx) => {
      const stands = entries.filter((entry) => entry.item !== null || entry.gone !== null);
      const byCalendar = Map.groupBy(stands, (entry) => entry.row.targetCalendarId);
      const outcomes = entries.map((entry) => entry.outcome);
      const [, isOurs, standing, ownerZone, ...seen] = await Promise.all([
        // a pull of the same calendar has stored what it saw before this, or sees what is stored here
        takePlans(tx, [...byCalendar.keys()]),
        holdsFence(tx, this.#connection.id, this.#token),
        storeOutcomes(tx, outcomes),
        this.#ownerZone ?? loadOwnerZone(tx, userId),
        ...[...byCalendar].map(([calendarId, list]) => listNewer(tx, { userId, calendarId }, list)),
      ]);
      if (!isOurs) throw new FenceLost();
      this.#ownerZone = ownerZone;
      const lost = entries.filter((entry) => entry.outcome.kind === 'gone').map((entry) => entry.row.originItemId);
      const newerOf = new Map([...byCalendar.keys()].map((calendarId, index) => [calendarId, seen[index]]));
      for (const [calendarId, list] of byCalendar) {
        const owner = {
          calendarId,
          userId,
          calendarZone: this.#calendars.get(calendarId)?.zone ?? ownerZone,
          ownerZone,
        };
        const written = list.filter((entry) => standing.has(entry.row.id));
        const gone = list.flatMap((entry) => entry.gone ?? []);
        lost.push(...(await this.#keepStanding(tx, owner, written, newerOf.get(calendarId) ?? new Map(), gone)));
      }
      // open screens follow a long run, but not every batch of it; its last one is always told
      const nowMs = performance.now();
      const tells = this.#entries.length === 0 || nowMs - this.#toldMs > tellEveryMs;
      if (tells) this.#toldMs = nowMs;
      const lines = entries.map((entry) => entry.line);
      send(tx, unplanItems(tx, lost), appendAudit(tx, lines));
      if (lost.length > 0) send(tx, app.news.announce(tx, planningWanted, { userId }));
      if (tells) send(tx, app.feed.publish(tx, userId, 'mirrors'));
    });
  }

  /**
   * Stores the blocks of a calendar after these writes, and removes deleted ones. Blocks that others changed since keep
   * their changes. Returns the origins of the changed ones.
   */
  async #keepStanding(
    tx: Tx,
    owner: CalendarOwner,
    written: Entry[],
    newer: NewerBlocks,
    gone: string[],
  ): Promise<ItemId[]> {
    const known = written.flatMap(({ item }) => (item === null ? [] : { item, newer: newer.get(item.ref) }));
    const items = known.map((one) => one.newer?.item ?? one.item);
    await applyChanges(tx, owner, { items, gone }, this.#app.clock.nowMs());
    return markTouched(
      tx,
      known.flatMap(({ newer: block }) =>
        block === undefined
          ? []
          : { id: block.id, ref: block.item.ref, seen: 'changed' as const, version: block.item.version },
      ),
    );
  }
}

/** Blocks as others left them, by ref. */
type NewerBlocks = Map<string, { id: MirrorId; item: HashedItem }>;

/**
 * Versions of these blocks, by ref, that a pull stored after the write because others had changed them. A changed block
 * stays ours even if its tag is gone.
 */
async function listNewer(
  tx: Tx,
  { userId, calendarId }: { userId: UserId; calendarId: CalendarId },
  written: Entry[],
): Promise<NewerBlocks> {
  const byRef = new Map(written.flatMap((entry) => (entry.item === null ? [] : [[entry.item.ref, entry] as const])));
  const versions = await readVersions(tx, calendarId, [...byRef.keys()]);
  const unknown = [...versions].flatMap(([ref, version]) => {
    const entry = byRef.get(ref);
    return entry?.item?.version === version || entry?.item?.over.includes(version) === true ? [] : ref;
  });
  const newer: NewerBlocks = new Map();
  if (unknown.length === 0) return newer;
  for (const { ref, version, hash, body } of await listStored(tx, userId, { calendarId, refs: unknown })) {
    const entry = byRef.get(ref);
    // a server's own bytes of what was written
    if (entry === undefined || hash === entry.row.desiredHash) continue;
    newer.set(ref, { id: entry.row.id, item: { ref, version, provenance: 'own', body } });
  }
  return newer;
}

const messages = {
  created: 'Block written.',
  updated: 'Block changed.',
  adopted: 'Block found: an earlier write had succeeded without a response.',
  verified: 'Block checked: no changes needed.',
} as const;

const requestOf = (error: ProviderError) => (error.requestId === undefined ? {} : { requestId: error.requestId });

function line(
  row: DueMirror,
  durationMs: number,
  facts: Pick<AuditLine, 'type' | 'message'> & Partial<AuditLine>,
): AuditLine {
  return {
    userId: row.userId,
    mirrorId: row.id,
    originItemId: row.originItemId,
    actor: 'poll',
    status: 'success',
    durationMs: Math.round(durationMs),
    beforeHash: row.appliedHash,
    ...facts,
  };
}
