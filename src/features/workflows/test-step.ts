import { randomUUID } from 'node:crypto';
import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { RunId, StepId, WorkflowId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { takeAllowance } from '#platform/limits.ts';
import { checkDefinition } from './check-definition.ts';
import type { workflowsContract } from './contract.ts';
import { loadToldFor } from './load-told-for.ts';
import { performStep } from './perform-step.ts';
import { renderStep } from './render-step.ts';
import type { RenderedAction } from './rules/action.ts';
import type { StepHost } from './values-of.ts';

type Test = typeof workflowsContract.testStep;

const tests = { action: 'workflow tests per account', burst: 20, periodSeconds: 3_600 };
const useMs = 3_600_000;

/** Carries a step out now, for its author only: mails and messages go to them. *Errors*: AppError invalid (`INVALID`), limited. */
export async function testStep(
  app: App,
  { userId }: Actor,
  { trigger, action }: Input<Test>['body'],
): Promise<Output<Test>> {
  const { host, told } = await loadToldFor(app, userId, trigger);
  const id = randomUUID();
  const owner = { userId, teamId: null };
  const steps = [{ id: id as StepId, action }];
  await checkDefinition(
    app,
    { ...owner, email: host.email },
    {
      trigger,
      offset: { amount: 0, unit: 'minutes' },
      filter: { event_type_ids: null },
      if_past: 'skip',
      if_late: 'skip',
      quiet_hours: null,
      steps,
    },
  );
  await takeAllowance(app.db, tests, userId);
  const nowMs = app.clock.nowMs();
  const setting = {
    host,
    owner: host,
    publicUrl: app.config.publicUrl,
    from: app.mail.from.address,
    nowMs,
    expiresAtMs: nowMs + useMs,
  };
  const made = renderStep(action, told, setting);
  if (!made.ok) throw new AppError('invalid', 'INVALID', 'There is nobody this could be sent to.', { fields: {} });
  const rendered = toAuthor(made.rendered, host);
  if (rendered === null) return { outcome: 'refused', reason: 'no-number', to: null };
  const outcome = await performStep(
    app,
    {
      ...owner,
      id: id as RunId,
      key: id,
      workflowId: id as WorkflowId,
      stepId: id as StepId,
      booking: null,
      subject: id,
      attempt: 1,
      isTest: true,
    },
    rendered,
  );
  const to = rendered.kind === 'send-email' ? host.email : rendered.kind === 'send-sms' ? rendered.to.address : null;
  return outcome.outcome === 'done'
    ? { outcome: 'done', reason: null, to }
    : { outcome: 'refused', reason: outcome.reason, to };
}

/** Whoever it is for, its author gets it. */
function toAuthor(rendered: RenderedAction, { email, phone, locale, zone }: StepHost): RenderedAction | null {
  const author = { role: 'host' as const, locale, zone, isProved: true };
  if (rendered.kind === 'send-email')
    return {
      ...rendered,
      mails: rendered.mails.slice(0, 1).map((mail) => ({ ...mail, to: { ...author, address: email } })),
    };
  if (rendered.kind === 'send-sms') return phone === null ? null : { ...rendered, to: { ...author, address: phone } };
  return rendered;
}
