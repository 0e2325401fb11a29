import { listOwnTypeIds } from '#features/booking/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { RunId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { checkStep, performCrm, performSlack, performSms } from '../channels/channels.ts';
import type {
  Action,
  ActionKind,
  ActionOf,
  Handed,
  PerformedRun,
  RenderedAction,
  RenderedOf,
  StepOutcome,
  WorkflowOwner,
} from '../rules/action.ts';
import { type Definition, isAboutBooking } from '../rules/definition.ts';
import { unknownVariables } from '../rules/variables.ts';
import { listConfirmed } from '../store/address-rows.ts';
import { performEmail, performEmails } from './mails.ts';

/** How actions of one kind are carried out, and what has to be so before a workflow may hold one. */
export interface Channel<Kind extends ActionKind> {
  /**
   * The other side, or our outbox, knows a repetition by the run's key. Where it does not, an attempt that nobody knows the
   * end of is not repeated: it is given up as `unknown-outcome`, and somebody may say to try again.
   */
  isRepeatable: boolean;
  /** Called outside of any transaction, perhaps twice for one run, perhaps late. Throws only for what is a bug. */
  perform(app: App, run: PerformedRun, rendered: RenderedOf<Kind>): Promise<StepOutcome>;
  /** Many in one go, where that is cheaper; those that are not in its answer are to be performed one by one. */
  performAll?(app: App, handed: readonly Handed<Kind>[]): Promise<Map<RunId, StepOutcome>>;
  /** The problem of a step, in words for its author; null: none. The credential exists and belongs to the owner. */
  check?(app: App, owner: WorkflowOwner, action: ActionOf<Kind>): Promise<string | null>;
}

/** One for each kind that this install can carry out; a workflow with another kind is refused when it is saved. */
export const channels: { readonly [Kind in ActionKind]?: Channel<Kind> } = {
  'send-email': { isRepeatable: true, perform: performEmail, performAll: performEmails },
  // these look for an earlier message before they send again
  'send-sms': { isRepeatable: true, perform: performSms, check: checkStep },
  'notify-slack': { isRepeatable: true, perform: performSlack, check: checkStep },
  'push-to-crm': { isRepeatable: true, perform: performCrm, check: checkStep },
};

/** Carries a step out. */
export function performStep(app: App, run: PerformedRun, rendered: RenderedAction): Promise<StepOutcome> {
  const channel = channels[rendered.kind] as Channel<ActionKind> | undefined;
  if (channel === undefined) return Promise.resolve({ outcome: 'refused', reason: 'no-channel', permanent: true });
  return channel.perform(app, run, rendered);
}

/**
 * Requires that all references of a definition exist and belong to its owner: event types, credentials, addresses that
 * agreed, variables with a value. *Errors*: AppError invalid (`INVALID`) with the fields.
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
        : "One of these event types doesn't belong to this team.";
  if (owner.teamId !== null && trigger !== 'form-submitted' && !isAboutBooking(trigger))
    fields['definition.trigger'] = 'This trigger only works in a personal workflow.';
  const others = steps.flatMap(({ action }) =>
    action.kind === 'send-email' && isAddress(action.to) ? [action.to] : [],
  );
  const confirmed = await listConfirmed(app.db, owner.userId, others);
  for (const [n, { action }] of steps.entries()) {
    const at = `definition.steps.${n}`;
    for (const [field, text] of textsOf(action)) {
      const [unknown] = unknownVariables(text, trigger);
      if (unknown !== undefined) fields[`${at}.${field}`] = `{${unknown}} isn't a known variable.`;
    }
    if (action.kind === 'send-email' && isAddress(action.to)) {
      const address = action.to.toLowerCase();
      if (address !== owner.email.toLowerCase() && !confirmed.has(address))
        fields[`${at}.to`] = "This address isn't verified yet. Send a code to it, then enter the code here.";
    }
    if (
      trigger !== 'form-submitted' &&
      !isAboutBooking(trigger) &&
      'to' in action &&
      (action.to === 'guest' || action.to === 'guests')
    )
      fields[`${at}.to`] = 'This workflow involves no guests. Choose yourself or an address.';
    if (action.kind === 'push-to-crm' && !isAboutBooking(trigger))
      fields[`${at}.kind`] = 'Only booking triggers can push to a CRM.';
    const channel = channels[action.kind] as Channel<ActionKind> | undefined;
    const wrong = channel === undefined ? "This isn't available here." : await channel.check?.(app, owner, action);
    if (wrong != null) fields[`${at}.kind`] = wrong;
  }
  if (Object.keys(fields).length > 0)
    throw new AppError('invalid', 'INVALID', "The workflow wasn't saved. Fix the highlighted fields.", {
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
