import { listTypesOf } from '#features/booking/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Database } from '#platform/db.ts';
import type { Action } from './rules/action.ts';
import { checkForm } from './rules/check-form.ts';
import type { Definition } from './rules/form-definition.ts';
import type { FormOwner } from './rules/form-owner.ts';

type Target = Awaited<ReturnType<typeof listTypesOf>>[number];

/**
 * Refuses a definition that cannot answer everybody, has rules that come to no turn, or leads to what is not there.
 * *Errors*: AppError invalid (`INVALID`) with the fields.
 */
export async function checkDefinition(db: Database, owner: FormOwner, definition: Definition): Promise<void> {
  const fields: Record<string, string> = {};
  for (const { path, message } of checkForm(definition)) fields[`definition.${path}`] ??= message;
  const targets = new Map((await listTypesOf(db, owner)).map((type) => [type.id, type]));
  const actions: [path: string, action: Action][] = [
    ...definition.rules.map(({ action }, n): [string, Action] => [`rules.${n}.action`, action]),
    ['fallback', definition.fallback],
  ];
  for (const [path, action] of actions) {
    if (action.kind !== 'event-type') continue;
    const wrong = judgeAction(action, targets.get(action.event_type_id), definition.type);
    if (wrong !== null) fields[`definition.${path}.${wrong.field}`] ??= wrong.message;
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('invalid', 'INVALID', 'Nothing was saved: something in this form cannot be as it is.', {
      fields,
    });
}

function judgeAction(
  { user_ids: userIds, contact_owner_first: ownerFirst }: Extract<Action, { kind: 'event-type' }>,
  target: Target | undefined,
  type: Definition['type'],
): { field: string; message: string } | null {
  if (target === undefined)
    return { field: 'event_type_id', message: 'This event type is not there any more. Choose another.' };
  if (type !== 'conditional' && target.kind !== type)
    return {
      field: 'event_type_id',
      message:
        type === 'collective'
          ? 'Choose an event type that is booked with several hosts together.'
          : 'Choose an event type whose hosts take turns.',
    };
  if (ownerFirst && target.kind !== 'round-robin')
    return { field: 'contact_owner_first', message: 'Only where hosts take turns can somebody go first.' };
  if (userIds === null) return null;
  if (target.teamId === null)
    return { field: 'user_ids', message: 'This event type is booked with you alone. Take the hosts away.' };
  if (userIds.some((id) => !target.hosts.some(({ userId }) => userId === id)))
    return { field: 'user_ids', message: 'Somebody is no host of this event type any more. Choose others.' };
  const met = target.hosts.filter(({ userId, optional }) => !optional && userIds.includes(userId));
  if (target.kind === 'collective' && met.length === 0)
    return { field: 'user_ids', message: 'One of them has to be there. Choose somebody who is not optional.' };
  return null;
}
