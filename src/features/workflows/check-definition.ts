import { listOwnTypeIds } from '#features/booking/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { type Channel, channels } from './perform-step.ts';
import type { Action, ActionKind, WorkflowOwner } from './rules/action.ts';
import { type Definition, isAboutBooking } from './rules/definition.ts';
import { unknownVariables } from './rules/variables.ts';
import { listConfirmed } from './store/address-rows.ts';

/**
 * What a definition names is there and its owner's: event types, credentials, addresses that agreed, variables that have a
 * value. *Errors*: AppError invalid (`INVALID`) with the fields.
 */
export async function checkDefinition(
  app: App,
  owner: WorkflowOwner & { email: string },
  { trigger, filter, steps }: Definition,
): Promise<void> {
  const fields: Record<string, string> = {};
  const typeIds = filter.event_type_ids ?? [];
  const own = typeIds.length === 0 ? [] : await listOwnTypeIds(app.db, owner, typeIds);
  if (own.length < typeIds.length)
    fields['definition.filter.event_type_ids'] =
      owner.teamId === null
        ? 'One of these event types is not yours.'
        : 'One of these event types is not of this team.';
  if (owner.teamId !== null && trigger !== 'form-submitted' && !isAboutBooking(trigger))
    fields['definition.trigger'] = 'This happens to one person. Choose it in a workflow of your own.';
  const others = steps.flatMap(({ action }) =>
    action.kind === 'send-email' && isAddress(action.to) ? [action.to] : [],
  );
  const confirmed = await listConfirmed(app.db, owner.userId, others);
  for (const [n, { action }] of steps.entries()) {
    const at = `definition.steps.${n}`;
    for (const [field, text] of textsOf(action)) {
      const [unknown] = unknownVariables(text, trigger);
      if (unknown !== undefined) fields[`${at}.${field}`] = `{${unknown}} means nothing here.`;
    }
    if (action.kind === 'send-email' && isAddress(action.to)) {
      const address = action.to.toLowerCase();
      if (address !== owner.email.toLowerCase() && !confirmed.has(address))
        fields[`${at}.to`] = 'This address has not agreed yet. Send it a code, and enter the code here.';
    }
    if (
      trigger !== 'form-submitted' &&
      !isAboutBooking(trigger) &&
      'to' in action &&
      (action.to === 'guest' || action.to === 'guests')
    )
      fields[`${at}.to`] = 'Nobody else takes part in this. Choose yourself or an address.';
    if (action.kind === 'push-to-crm' && !isAboutBooking(trigger)) fields[`${at}.kind`] = 'Only bookings go to a CRM.';
    const channel = channels[action.kind] as Channel<ActionKind> | undefined;
    const wrong = channel === undefined ? 'This cannot be done here.' : await channel.check?.(app, owner, action);
    if (wrong != null) fields[`${at}.kind`] = wrong;
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('invalid', 'INVALID', 'Nothing was saved: something in this workflow cannot be as it is.', {
      fields,
    });
}

const isAddress = (to: string) => to !== 'host' && to !== 'guest' && to !== 'guests';

function textsOf(action: Action): [field: string, text: string][] {
  if (action.kind === 'push-to-crm') return [];
  return action.kind === 'send-email'
    ? [
        ['subject', action.subject],
        ['body', action.body],
      ]
    : [['body', action.body]];
}
