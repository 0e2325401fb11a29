import type * as z from 'zod/mini';
import type { EventView, Viewer } from '#features/calendar/public.ts';
import { contentHash } from '#kernel/event-hash.ts';
import type { editShape } from './contract.ts';
import { detailsView } from './read-event.ts';
import type { EditableBody } from './rules/change-event.ts';
import type { Step } from './rules/steps.ts';
import { undoUntilMs } from './rules/undo-window.ts';
import type { Edit } from './store/edits.ts';

export type EditView = z.output<typeof editShape>;

const isoOf = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 });

export function editView(
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
