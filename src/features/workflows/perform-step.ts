import type { RunId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { checkStep } from './channels/check-step.ts';
import { performCrm } from './channels/perform-crm.ts';
import { performSlack } from './channels/perform-slack.ts';
import { performSms } from './channels/perform-sms.ts';
import { performEmail, performEmails } from './perform-email.ts';
import type {
  ActionKind,
  ActionOf,
  Handed,
  PerformedRun,
  RenderedAction,
  RenderedOf,
  StepOutcome,
  WorkflowOwner,
} from './rules/action.ts';

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
  /** What is wrong with such a step, in words for its author; null: nothing. The credential is there and the owner's. */
  check?(app: App, owner: WorkflowOwner, action: ActionOf<Kind>): Promise<string | null>;
}

/** One for each kind that this install can carry out; a workflow with another kind is refused when it is saved. */
export const channels: { readonly [Kind in ActionKind]?: Channel<Kind> } = {
  'send-email': { isRepeatable: true, perform: performEmail, performAll: performEmails },
  // what they sent is looked for before it is sent again
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
