import { listTypesOf } from '#features/booking/public.ts';
import { listMemberIds } from '#features/teams/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { Database } from '#platform/db.ts';
import type { Action } from './rules/action.ts';
import { checkForm } from './rules/check-form.ts';
import { gone, nobody } from './rules/fact.ts';
import type { Definition } from './rules/form-definition.ts';
import type { FormOwner } from './rules/form-owner.ts';
import { judgeAction } from './rules/judge-action.ts';

/**
 * Refuses a definition that cannot answer everybody, has rules that come to no turn, or leads to what is not there.
 * *Errors*: AppError invalid (`INVALID`) with the fields.
 */
export async function checkDefinition(db: Database, owner: FormOwner, definition: Definition): Promise<void> {
  const fields: Record<string, string> = {};
  for (const { path, message } of checkForm(definition)) fields[`definition.${path}`] ??= message;
  // readers of the reasons see the names of people in rules
  const mates: string[] = owner.teamId === null ? [owner.userId] : await listMemberIds(db, owner.teamId);
  for (const [n, { conditions }] of definition.rules.entries())
    for (const [at, one] of conditions.entries())
      if (
        (one.op === 'owner' || one.op === 'owner-not') &&
        !one.values.every((id) => id === nobody || id === gone || mates.includes(id))
      )
        fields[`definition.rules.${n}.conditions.${at}.values`] ??= 'Somebody here is not in the team. Choose others.';
  const targets = new Map((await listTypesOf(db, owner)).map((type) => [type.id, type]));
  const actions: [path: string, action: Action][] = [
    ...definition.rules.map(({ action }, n): [string, Action] => [`rules.${n}.action`, action]),
    ['fallback', definition.fallback],
  ];
  for (const [path, action] of actions) {
    if (action.kind !== 'event-type') continue;
    const target = targets.get(action.event_type_id);
    const wrong = judgeAction(action, target, definition.type);
    if (wrong !== null) fields[`definition.${path}.${wrong.field}`] ??= wrong.message;
    const closed = definition.frames.find((frame) => target?.settings.frames.includes(frame) === false);
    if (closed !== undefined)
      fields['definition.frames'] ??=
        `“${target?.title}” cannot be shown on ${closed}, where this form would lead to it. Add the site to the event type too.`;
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('invalid', 'INVALID', 'Nothing was saved: something in this form cannot be as it is.', {
      fields,
    });
}
