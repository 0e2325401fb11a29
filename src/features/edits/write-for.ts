import { listStored, type StoredItem } from '#features/calendar/public.ts';
import type { Connection } from '#features/connections/public.ts';
import type { Single } from '#kernel/event.ts';
import type { CalendarId, EditId, ItemId, UserId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import type { Tx } from '#platform/db.ts';
import { newItemId } from './enter-edit.ts';
import { editingWanted } from './events.ts';
import type { EditableBody } from './rules/change-event.ts';
import { foldSteps } from './rules/steps.ts';
import { insertEdit, listOfItem, lockPerson } from './store/edits.ts';

/** An event that another feature keeps in a person's calendar. */
export interface KeptEvent {
  userId: UserId;
  calendarId: CalendarId;
  connectionId: Connection['id'];
  /** The item it is, as the last write answered; null: it was never written. */
  itemId: ItemId | null;
  /** The same for the same wish: asked for again it is entered once. */
  editId: EditId;
  /** Name at the provider of an event that is made by this wish: base32hex, never used for another. */
  key: string;
  title: string;
  /** The provider makes a meeting for it when it is made. */
  conference?: boolean;
  /** Its text stays as it stands: the provider wrote into it what keeps the meeting. */
  keepsNotes?: boolean;
}

/**
 * Has an event look like this from now on, or be gone (null), in the caller's transaction: `over` what stands, or made
 * `anew` where nothing does. What is said here of it is written over what others changed meanwhile, the rest of theirs stays. Nobody is mailed
 * by the provider. Answers with the item that it is; null where nothing stands and nothing is wanted.
 */
export async function writeFor(
  app: App,
  tx: Tx,
  event: KeptEvent,
  wanted: { anew: Single; over: Single } | null,
): Promise<ItemId | null> {
  const { userId, calendarId, connectionId, editId, key, title, conference, keepsNotes } = event;
  await lockPerson(tx, userId);
  const standing = event.itemId === null ? null : await readStanding(tx, userId, event.itemId);
  const body = standing === null ? (wanted?.anew ?? null) : (wanted?.over ?? null);
  if (standing === null && body === null) return null;
  const itemId = standing === null || event.itemId === null ? newItemId() : event.itemId;
  const step =
    standing === null
      ? { before: null, after: body, key, ...(conference ? { conference } : {}) }
      : { before: standing, after: body === null ? null : over(standing, body, keepsNotes) };
  const entered = await insertEdit(tx, {
    id: editId,
    userId,
    kind: standing === null ? 'create' : body === null ? 'delete' : 'change',
    calendarId,
    itemId,
    title,
    recId: '',
    recIdAfter: '',
    tellGuests: false,
    insists: true,
    steps: [{ calendarId, connectionId, itemId, ...step }],
    notBeforeMs: 0,
    createdMs: app.clock.nowMs(),
  });
  if (entered === null) return event.itemId;
  await app.news.announce(tx, editingWanted, { connectionId });
  await app.feed.publish(tx, userId, 'edits');
  return itemId;
}

function over(standing: EditableBody, body: Single, keepsNotes = false): Single {
  const core = { ...standing.core, ...body.core };
  if (keepsNotes && standing.core.notes !== undefined) core.notes = standing.core.notes;
  return { ...body, core };
}

/** An item as it will stand once what waits is written; null where it is gone, or has a form that we do not write. */
async function readStanding(tx: Tx, userId: UserId, itemId: ItemId): Promise<EditableBody | null> {
  // in this order: what is written between the two is then known twice, and not at all in the other
  const edits = await listOfItem(tx, userId, itemId, Number.MAX_SAFE_INTEGER);
  const [stored] = await listStored(tx, userId, { ids: [itemId] });
  const ahead = foldSteps(edits.filter(({ state }) => state === 'pending')).get(itemId);
  return ahead === undefined ? editableOf(stored) : ahead;
}

function editableOf(stored: StoredItem | undefined): EditableBody | null {
  const body = stored?.body;
  return body?.kind === 'single' || body?.kind === 'series' ? body : null;
}
