import { listHoldRules } from '#features/availability/public.ts';
import type { EventView, StoredItem } from '#features/calendar/public.ts';
import { listStored, loadViewer, readRange, showItem } from '#features/calendar/public.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { ItemId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { type EditView, editView } from './edit-view.ts';
import type { EditableBody } from './rules/change-event.ts';
import { foldSteps } from './rules/steps.ts';
import { undoWithinMs } from './rules/undo-window.ts';
import { type Edit, listShown } from './store/edits.ts';

/** So long what is done goes on showing itself: a browser may hear that it is done before it has asked for the events. */
const lingersMs = 20_000;

/** What a person's edits come to at the moment, and how the range looks with those that wait. Six queries. */
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
  const overlay = new Overlay((item) => showItem(viewer, holdRules, item, range), stored, edits);
  return edits.map((edit) => editView(viewer, edit, nowMs, overlay.of(edit, nowMs)));
}

/** The instances of an item in the range that is asked about. */
type Show = (item: Parameters<typeof showItem>[2]) => EventView[];

interface Shown {
  replaces: string[];
  events: EventView[];
}

/** How a range looks with the edits of a person; where several wait for one item, the last of them shows it. */
class Overlay {
  readonly #showItem: Show;
  readonly #stored: ReadonlyMap<ItemId, StoredItem>;
  readonly #ahead: Map<ItemId, EditableBody | null>;
  readonly #lastOf = new Map<ItemId, Edit>();
  readonly #lastWritten = new Map<ItemId, Edit>();

  constructor(show: Show, stored: ReadonlyMap<ItemId, StoredItem>, edits: readonly Edit[]) {
    this.#showItem = show;
    this.#stored = stored;
    const waiting = edits.filter((edit) => edit.state === 'pending');
    this.#ahead = foldSteps(waiting);
    for (const edit of edits)
      for (const { itemId } of edit.steps.slice(0, edit.step)) this.#lastWritten.set(itemId, edit);
    for (const edit of waiting) for (const { itemId } of edit.steps.slice(edit.step)) this.#lastOf.set(itemId, edit);
  }

  of(edit: Edit, nowMs: number): Shown {
    const shown: Shown = { replaces: [], events: [] };
    const lingers = edit.state === 'done' && nowMs - (edit.settledMs ?? 0) < lingersMs;
    edit.steps.forEach((step, index) => {
      const { itemId, calendarId } = step;
      const stored = this.#stored.get(itemId) ?? null;
      const written = index < edit.step;
      let before: EventView[];
      let after: EventView[];
      if (edit.state === 'pending' && !written) {
        if (this.#lastOf.get(itemId) !== edit) return;
        before = this.#show(itemId, calendarId, stored?.body ?? null, stored);
        after = this.#show(itemId, calendarId, this.#ahead.get(itemId) ?? null, stored);
      } else if ((lingers || edit.state === 'pending') && this.#lastWritten.get(itemId) === edit) {
        if (this.#lastOf.has(itemId)) return;
        const body = stored?.body ?? null;
        const result = step.result ?? step.after;
        // changed again since: the events themselves say it
        if (hashOf(result) !== (stored?.hash ?? null)) return;
        before = this.#show(itemId, calendarId, step.before, stored);
        after = this.#show(
          itemId,
          calendarId,
          body?.kind === 'single' || body?.kind === 'series' ? body : null,
          stored,
        );
      } else return;
      const unchanged = new Set(before.map(looks));
      const stays = new Set(after.filter((event) => unchanged.has(looks(event))).map((event) => event.event_id));
      const events = after.filter((event) => !stays.has(event.event_id));
      const replaced = [...before.filter((event) => !stays.has(event.event_id)), ...events];
      // its own events too: the screen may have heard of them before it hears that they are written
      shown.replaces.push(...new Set(replaced.map((event) => event.event_id)));
      shown.events.push(...events);
    });
    return shown;
  }

  #show(
    itemId: ItemId,
    calendarId: StoredItem['calendarId'],
    body: StoredItem['body'] | null,
    stored: StoredItem | null,
  ): EventView[] {
    if (body === null) return [];
    const item = {
      itemId,
      calendarId,
      ref: stored?.ref ?? null,
      provenance: 'foreign' as const,
      hash: contentHash(body),
      body,
    };
    return this.#showItem(item);
  }
}

const hashOf = (body: EditableBody | null) => (body === null ? null : contentHash(body));

/** What a screen draws of an event; the name of its item's state is none of it. */
const looks = (event: EventView) => JSON.stringify({ ...event, version: '' });
