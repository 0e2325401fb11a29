import type { HoldRankOf, Rank } from '#features/availability/rules/hold-rules.ts';
import type { EventBody, Item } from '#kernel/event.ts';
import { eventLimits, isSeries, masterOf } from '#kernel/event.ts';
import { canonicalJson, contentHashOf } from '#kernel/event-hash.ts';
import { losesTime, warning } from '#kernel/ical/reading-warning.ts';
import type { ItemId } from '#kernel/ids.ts';
import { boundsOf, occurrencesOf } from '#kernel/recurrence/occurrences.ts';
import type { WorkBudget } from '#kernel/work-budget.ts';
import type { BusyClass } from './busy-class.ts';
import { busyClassOf, rankOf } from './busy-class.ts';
import { kept, partly } from './reading-warning.ts';
import { tooDense } from './span-room.ts';

/** A person's settings that decide when events take time, and how much. */
export interface Reading {
  /** Floating times are in the calendar's zone. */
  calendarZone: string;
  /** All-day events cover the owner's days. */
  ownerZone: string;
  /** Which events of the calendar are holds. */
  holdRank: HoldRankOf;
}

/** The same for one item, which was made as a hold of this rank or was not. */
export function readingAs(reading: Reading, made: Rank | null): Reading {
  return made === null ? reading : { ...reading, holdRank: () => made };
}

export interface Span {
  recId: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  class: BusyClass;
  rank: Rank;
  /** Whether somebody else takes part. */
  meeting: boolean;
}

/** An item as the store keeps it: the provider's object, what follows from it, and its instances in the window. */
export interface StoredShape {
  ref: string;
  uid: string | null;
  version: string;
  provenance: Item['provenance'];
  /** The body as JSON. */
  bodyText: string;
  hash: string;
  title: string | null;
  startsMs: number | null;
  endsMs: number | null;
  recurring: boolean;
  problem: string | null;
  spans: Span[];
}

/** An item; `id` where one is given out already for an item that is new to the store. `kept`: its body is the one known before. */
export type HashedItem = Item & { id?: ItemId; kept?: boolean };

/**
 * Everything the store derives from one item. Pure: the same item, reading and window give the same rows.
 * *Errors*: WorkLimitError past the budget.
 */
export function materialise(
  item: HashedItem,
  reading: Reading,
  window: { fromMs: number; toMs: number },
  budget: WorkBudget,
): StoredShape {
  const { body } = item;
  const { spans, problem } = spansOf(body, item.provenance, reading, window, budget);
  const [only] = spans;
  // a single event is its one span: its time is read once
  const bounds =
    body.kind === 'single' && only !== undefined
      ? only
      : boundsOf(body, reading.calendarZone, reading.ownerZone, budget);
  // one text serves the hash and the row
  const bodyText = item.stored?.bodyText ?? canonicalJson(body);
  return {
    ref: item.ref,
    uid: item.uid ?? null,
    version: item.version,
    provenance: item.provenance,
    bodyText,
    hash: item.stored?.hash ?? contentHashOf(body, bodyText),
    title: titleOf(body) ?? item.known?.title ?? null,
    startsMs: bounds?.startMs ?? null,
    endsMs: bounds?.endMs ?? null,
    recurring: isSeries(body),
    problem: body.kind === 'withheld' ? body.reason : problemOf(problem, item),
    spans,
  };
}

function titleOf(body: EventBody): string | undefined {
  const instances = body.kind === 'instances' ? Object.values(body.list) : [];
  return masterOf(body)?.core.title ?? instances[0]?.core.title;
}

/** One line for each warning. */
function problemOf(ofInstances: string | null, { warnings = [], kept: isKept = false }: HashedItem): string | null {
  if (ofInstances === tooDense) return tooDense;
  const all = [ofInstances, ...warnings].flatMap((text) => text?.replaceAll('\n', ' ') ?? []);
  const start = isKept ? kept : warnings.some(losesTime) ? partly : '';
  return all.length === 0 ? null : start + all.join('\n');
}

/**
 * The instances of a body inside the window with their classes, as the busy index keeps them. A single event stands whatever
 * its date, and so does each of a list. A block of ours has none: it blocks nothing, and is expanded when a screen shows it. A series that is too dense
 * has none either, and `problem` says so. *Errors*: WorkLimitError past the budget.
 */
export function spansOf(
  body: EventBody,
  provenance: Item['provenance'],
  reading: Reading,
  window: { fromMs: number; toMs: number },
  budget: WorkBudget,
): { spans: Span[]; problem: string | null } {
  if (provenance === 'own') return { spans: [], problem: null };
  const everything = { fromMs: Number.MIN_SAFE_INTEGER, toMs: Number.MAX_SAFE_INTEGER };
  const isListed = body.kind === 'instances' && Object.keys(body.list).length <= eventLimits.overrides;
  const range = body.kind === 'single' || isListed ? everything : window;
  const { calendarZone, ownerZone } = reading;
  const {
    list,
    tooDense: isTooDense,
    problems,
  } = occurrencesOf(body, calendarZone, ownerZone, range, eventLimits, budget);
  const spans = list.map(({ recId, startMs, endMs, allDay, core }) => {
    const holdRank = reading.holdRank(core);
    const busyClass = busyClassOf(core, { allDay, provenance, lengthMs: endMs - startMs, holdRank });
    const meeting = (core.attendees?.length ?? 0) > 0;
    return { recId, startMs, endMs, allDay, class: busyClass, rank: rankOf(busyClass, holdRank), meeting };
  });
  // the sentences of the engine are for developers
  const problem = problems.length > 0 ? warning('other', { source: '' }) : null;
  return { spans, problem: isTooDense ? tooDense : problem };
}
