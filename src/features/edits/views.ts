import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { listHoldRules } from '#features/availability/public.ts';
import {
  type EventView,
  listStored,
  loadViewer,
  readRange,
  type StoredItem,
  showItem,
  type Viewer,
} from '#features/calendar/public.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { ItemId } from '#kernel/ids.ts';
import { type Sliced, WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';
import { mostAnswerBytes, viewLimits } from '#kernel/work-limits.ts';
import type { Actor } from '#platform/actor.ts';
import { answerBytes } from '#platform/answer-bytes.ts';
import type { App } from '#platform/app.ts';
import { inSlices } from '#platform/in-slices.ts';
import { detailsView } from './calendar-events.ts';
import type { editShape } from './contract.ts';
import type { EditableBody } from './rules/event.ts';
import { foldSteps, type Step, undoUntilMs, undoWithinMs } from './rules/steps.ts';
import { type Edit, listShown } from './store/edits.ts';

type EditView = z.output<typeof editShape>;

const isoOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });

function editView(
  viewer: Viewer,
  edit: Edit,
  nowMs: number,
  shown: { replaces: string[]; events: EventView[] },
): EditView {
  const untilMs = undoUntilMs(edit, nowMs);
  const conflict = edit.state === 'conflict' ? edit.steps[edit.step] : undefined;
  // the event leaves this calendar because it is in the other one
  const made = edit.kind === 'change' ? edit.steps.find((step) => step.before === null) : undefined;
  const wanted = conflict?.after ?? made?.after ?? null;
  return {
    edit_id: edit.id,
    kind: edit.kind,
    state: edit.state,
    calendar_id: edit.calendarId,
    item_id: edit.itemId,
    title: edit.title,
    message: edit.message,
    undo_until: untilMs === null || untilMs === Number.POSITIVE_INFINITY ? null : isoOf(untilMs),
    can_undo: untilMs !== null,
    can_retry: edit.state === 'failed' && edit.refusal === null,
    created_at: isoOf(edit.createdMs),
    replaces: shown.replaces,
    events: shown.events,
    mine: conflict === undefined ? null : sideOf(viewer, conflict, wanted, edit.recIdAfter),
    theirs: conflict === undefined ? null : sideOf(viewer, conflict, edit.theirs, edit.recId),
  };
}

function sideOf(viewer: Viewer, { itemId, calendarId }: Step, body: EditableBody | null, recId: string) {
  if (body === null) return null;
  const named = body.kind === 'series' ? recId : '';
  return detailsView(viewer, {
    itemId,
    calendarId,
    recId: named,
    ref: null,
    provenance: 'foreign',
    body,
    hash: contentHash(body),
  });
}

/** An edit as its person is told of it at once; what it shows in a range is asked for by range. */
export async function toEditAnswer(app: App, actor: Actor, edit: Promise<Edit>): Promise<{ edit: EditView }> {
  const settled = await edit;
  const viewer = await loadViewer(app.db, actor.userId);
  return { edit: editView(viewer, settled, app.clock.nowMs(), { replaces: [], events: [] }) };
}

/** So long what is done goes on showing itself: a browser may hear that it is done before it has asked for the events. */
const lingersMs = 20_000;

/** The state of a person's edits, and the range with the waiting ones applied. Six queries. */
export async function listEdits(app: App, actor: Actor, query: { from: string; to: string }): Promise<EditView[]> {
  const range = readRange(query);
  const nowMs = app.clock.nowMs();
  const [viewer, edits, holdRules] = await Promise.all([
    loadViewer(app.db, actor.userId),
    listShown(app.db, actor.userId, nowMs - undoWithinMs),
    listHoldRules(app.db, actor.userId),
  ]);
  const ids = [...new Set(edits.flatMap(({ steps }) => steps.map((step) => step.itemId)))];
  const items = ids.length === 0 ? [] : await listStored(app.db, actor.userId, { ids });
  const stored = new Map(items.map((item) => [item.itemId, item]));
  const budget = new WorkBudget(viewLimits);
  const overlay = new Overlay((item) => showItem(viewer, holdRules, item, range, budget), stored, edits, nowMs);
  // the last edit that undid another one replaces what that one had replaced
  const isUndone = ({ state }: Edit) => state === 'undone';
  const undone = new Map<string, Edit>(edits.filter(isUndone).map((edit) => [edit.id, edit]));
  const lastAfter = (edit: Edit): string | null => {
    const next = edit.undoneBy === null ? undefined : undone.get(edit.undoneBy);
    return next === undefined ? edit.undoneBy : lastAfter(next);
  };
  const before = Map.groupBy(undone.values(), lastAfter);
  return inSlices(
    (function* () {
      const views: EditView[] = [];
      let sideBytes = 0;
      for (const edit of edits) {
        if (isUndone(edit)) continue;
        const shown = yield* overlay.of(edit, nowMs);
        const replaced: string[] = [];
        for (const one of before.get(edit.id) ?? []) replaced.push(...(yield* overlay.of(one, nowMs)).replaces);
        const view = editView(viewer, edit, nowMs, {
          ...shown,
          replaces: [...new Set([...shown.replaces, ...replaced])],
        });
        // the events of all edits were counted as they were made; later conflicts come when earlier ones are decided
        sideBytes += answerBytes([view.mine, view.theirs]);
        if (sideBytes > mostAnswerBytes) break;
        views.push(view);
        yield;
      }
      return views;
    })(),
  );
}

/** The instances of an item in the range that is asked about. */
type Show = (item: Parameters<typeof showItem>[2]) => Sliced<EventView[]>;

interface Shown {
  replaces: string[];
  events: EventView[];
}

/**
 * How a range looks with the edits of a person; where several touch one item, the last of them shows it. A screen may have
 * read its events before or after any of them, and an event may be read from its calendar before its edit is known to be
 * written: what differs from any of these is shown.
 */
class Overlay {
  readonly #showItem: Show;
  readonly #stored: ReadonlyMap<ItemId, StoredItem>;
  readonly #ahead: Map<ItemId, EditableBody | null>;
  readonly #lastOf = new Map<ItemId, Edit>();
  readonly #lastWritten = new Map<ItemId, Edit>();
  /** Bodies of an item that a screen may still show, by their hash; null: nothing. */
  readonly #seen = new Map<ItemId, Map<string | null, EditableBody | null>>();

  constructor(show: Show, stored: ReadonlyMap<ItemId, StoredItem>, edits: readonly Edit[], nowMs: number) {
    this.#showItem = show;
    this.#stored = stored;
    const waiting = edits.filter((edit) => edit.state === 'pending');
    this.#ahead = foldSteps(waiting);
    for (const edit of edits)
      for (const { itemId } of edit.steps.slice(0, edit.step)) this.#lastWritten.set(itemId, edit);
    for (const edit of waiting) for (const { itemId } of edit.steps.slice(edit.step)) this.#lastOf.set(itemId, edit);
    for (const { itemId, before, result } of edits.filter((edit) => shows(edit, nowMs)).flatMap(({ steps }) => steps)) {
      const seen = this.#seen.get(itemId) ?? new Map<string | null, EditableBody | null>();
      for (const body of [before, result, editable(stored.get(itemId))])
        if (body !== undefined) seen.set(hashOf(body), body);
      this.#seen.set(itemId, seen);
    }
  }

  /** Nothing where the budget is used up: the screen keeps what it has until the edit is written. */
  *of(edit: Edit, nowMs: number): Sliced<Shown> {
    try {
      return yield* this.#shownOf(edit, nowMs);
    } catch (error) {
      if (error instanceof WorkLimitError) return { replaces: [], events: [] };
      throw error;
    }
  }

  *#shownOf(edit: Edit, nowMs: number): Sliced<Shown> {
    const shown: Shown = { replaces: [], events: [] };
    if (!shows(edit, nowMs)) return shown;
    for (const [index, step] of edit.steps.entries()) {
      const { itemId, calendarId } = step;
      const stored = this.#stored.get(itemId) ?? null;
      let stands: EditableBody | null;
      if (edit.state === 'pending' && index >= edit.step) {
        if (this.#lastOf.get(itemId) !== edit) continue;
        stands = this.#ahead.get(itemId) ?? null;
      } else {
        if (this.#lastOf.has(itemId) || this.#lastWritten.get(itemId) !== edit) continue;
        // changed again since: the events themselves say it
        if (hashOf(step.result ?? step.after) !== (stored?.hash ?? null)) continue;
        stands = editable(stored);
      }
      const seen: EventView[][] = [];
      for (const body of this.#seen.get(itemId)?.values() ?? []) {
        seen.push(yield* this.#show(itemId, calendarId, body, stored));
      }
      const seenById = seen.map((events) => new Map(events.map((event) => [event.event_id, event])));
      const after = yield* this.#show(itemId, calendarId, stands, stored);
      const unchanged = after.filter((event) => seenById.every((those) => looksSame(those.get(event.event_id), event)));
      const stays = new Set(unchanged.map((event) => event.event_id));
      const events = after.filter((event) => !stays.has(event.event_id));
      // its own events too: the screen may have heard of them before it hears that they are written
      const replaced = [...seen.flat(), ...events].map((event) => event.event_id);
      shown.replaces.push(...new Set(replaced.filter((id) => !stays.has(id))));
      shown.events.push(...events);
    }
    return shown;
  }

  *#show(
    itemId: ItemId,
    calendarId: StoredItem['calendarId'],
    body: EditableBody | null,
    stored: StoredItem | null,
  ): Sliced<EventView[]> {
    if (body === null) return [];
    const item = {
      itemId,
      calendarId,
      ref: stored?.ref ?? null,
      provenance: 'foreign' as const,
      hash: contentHash(body),
      body,
    };
    return yield* this.#showItem(item);
  }
}

/** A finished edit is shown for a moment. */
const shows = ({ state, settledMs }: Edit, nowMs: number) =>
  state === 'pending' || ((state === 'done' || state === 'undone') && nowMs - (settledMs ?? 0) < lingersMs);

function editable(item: StoredItem | null | undefined): EditableBody | null {
  return item?.body.kind === 'single' || item?.body.kind === 'series' ? item.body : null;
}

const hashOf = (body: EditableBody | null) => (body === null ? null : contentHash(body));

/** Whether a screen draws two views of an event alike; the name of its item's state is not drawn. Makes no texts of them. */
const looksSame = (one: EventView | undefined, other: EventView) =>
  one !== undefined && isDeepStrictEqual({ ...one, version: '' }, { ...other, version: '' });
