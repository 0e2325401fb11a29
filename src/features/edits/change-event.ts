import type * as z from 'zod/mini';
import { AppError } from '#kernel/errors.ts';
import type { CalendarId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { editsContract } from './contract.ts';
import { asAnswer, demandWritable, enterEdit, keyOf, newEditId, newItemId, titleOf } from './enter-edit.ts';
import { demandEditable, type LoadedEvent, loadEvent } from './load-event.ts';
import { changeEvent as changeBody } from './rules/change-event.ts';
import { moveRecId } from './rules/shift-rule.ts';
import type { Step } from './rules/steps.ts';
import { type Edit, lockPerson } from './store/edits.ts';

type Input = z.output<typeof editsContract.changeEvent.body & object>;

/** *Errors*: AppError not-found, forbidden (READ_ONLY, NOT_ORGANIZER), invalid, conflict (CHANGED_MEANWHILE), limited. */
export async function changeEvent(app: App, actor: Actor, eventId: string, input: Input): Promise<Edit> {
  const { userId } = actor;
  const nowMs = app.clock.nowMs();
  return inTransaction(app.db, async (tx) => {
    await lockPerson(tx, userId);
    const event = await loadEvent(tx, userId, eventId, nowMs);
    const { viewer, itemId, calendarId, recId } = event;
    const before = demandEditable(event);
    demandSeen(event, input.version);
    const { connectionId, zone } = demandWritable(viewer, calendarId);
    const { calendar_id, ...changes } = input.changes;
    const wanted = (calendar_id ?? calendarId) as CalendarId;
    const target = wanted === calendarId ? { connectionId, zone } : demandWritable(viewer, wanted);
    const id = newEditId();
    const edit = { scope: input.scope, changes, leaves: wanted !== calendarId };
    const { rest, made } = asAnswer(() => changeBody(before, recId, edit, zone));

    const steps: Step[] = [];
    const madeId = newItemId();
    if (made !== null) {
      const key = keyOf(id, madeId);
      steps.push({
        calendarId: wanted,
        connectionId: target.connectionId,
        itemId: madeId,
        before: null,
        after: made,
        key,
      });
    }
    steps.push({ calendarId, connectionId, itemId, before, after: rest });
    const shown = made ?? rest ?? before;
    return enterEdit(app, tx, {
      id,
      userId,
      kind: 'change',
      calendarId: wanted,
      itemId: made === null ? itemId : madeId,
      title: titleOf(shown),
      recId,
      recIdAfter: shown.kind === 'series' && recId !== '' ? (moveRecId(before.when, shown.when, recId) ?? '') : '',
      tellGuests: input.tell_guests,
      steps,
      notBeforeMs: 0,
      createdMs: nowMs,
    });
  });
}

/** Requires that the person saw the current version, or the one that their own edits made. */
export function demandSeen({ versions, hash }: LoadedEvent, version: string): void {
  if (versions.has(version)) return;
  throw new AppError(
    'conflict',
    'CHANGED_MEANWHILE',
    'This event was changed elsewhere meanwhile. Nothing was changed.',
    {
      fields: { version: hash.slice(0, 20) },
    },
  );
}
