import type { Edit } from './edit-shapes.ts';

/** An edit that is done, shown as it waited until the events are read anew. */
export interface HeldEdit {
  edit: Edit;
  /** When this page heard that it is done, epoch ms. */
  doneMs: number;
}

/**
 * Which done edits go on covering what stands: those that this page saw waiting, until events asked for after their end
 * are here. Without this an event that was moved would be seen at its old place for a moment.
 *
 * *Units*: `eventsMs` is when the events at hand came, `nowMs` when `edits` came, both epoch ms.
 */
export function settleEdits(
  held: readonly HeldEdit[],
  before: readonly Edit[],
  edits: readonly Edit[],
  { eventsMs, nowMs }: { eventsMs: number; nowMs: number },
): readonly HeldEdit[] {
  const waiting = new Map(before.filter((edit) => edit.state === 'pending').map((edit) => [edit.edit_id, edit]));
  const fresh = edits.flatMap((edit) => {
    const was = edit.state === 'done' ? waiting.get(edit.edit_id) : undefined;
    return was === undefined ? [] : [{ edit: was, doneMs: nowMs }];
  });
  const next = [...held.filter((one) => !fresh.some(({ edit }) => edit.edit_id === one.edit.edit_id)), ...fresh].filter(
    (one) => one.doneMs >= eventsMs,
  );
  return next.length === 0 && held.length === 0 ? held : next;
}
