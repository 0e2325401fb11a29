import type { Input, Output } from '#kernel/contract.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { workflowsContract } from './contract.ts';
import { loadToldFor } from './load-told-for.ts';
import { renderStep } from './render-step.ts';
import { unknownVariables } from './rules/variables.ts';

type Preview = typeof workflowsContract.previewStep;

/** A step's texts as somebody would get them. *Errors*: AppError not-found. */
export async function previewStep(
  app: App,
  { userId }: Actor,
  { trigger, action }: Input<Preview>['body'],
): Promise<Output<Preview>> {
  const { host, told, isSample } = await loadToldFor(app, userId, trigger);
  const nowMs = app.clock.nowMs();
  const { publicUrl } = app.config;
  const setting = { host, owner: host, publicUrl, from: app.mail.from.address, nowMs, expiresAtMs: nowMs };
  const made = renderStep(action, told, setting);
  const texts = [...('subject' in action ? [action.subject] : []), ...('body' in action ? [action.body] : [])];
  const unknown = [...new Set(texts.flatMap((text) => unknownVariables(text, trigger)))];
  const shown = made.ok ? made.rendered : null;
  const [mail] = shown?.kind === 'send-email' ? shown.mails : [];
  return {
    subject: mail?.subject ?? null,
    body: mail?.body ?? (shown !== null && 'body' in shown ? shown.body : null),
    unknown,
    sample: isSample,
  };
}
