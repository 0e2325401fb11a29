import type { App } from '#platform/app.ts';
import type { PerformedRun, RenderedOf, StepOutcome } from '../rules/action.ts';
import { deliver } from './deliver.ts';
import { slack } from './slack.ts';
import { takeCredential } from './take-credential.ts';

/** A message in a channel. */
export async function performSlack(
  app: App,
  run: PerformedRun,
  { credentialId, channel, body }: RenderedOf<'notify-slack'>,
): Promise<StepOutcome> {
  const credential = await takeCredential(app, run, 'notify-slack', credentialId);
  if ('outcome' in credential) return credential;
  const post = { key: run.key, channel, text: body };
  return deliver(app, {
    key: run.key,
    credential,
    send: (nowMs) => slack.send(credential, post, nowMs),
    findSent: (sinceMs) => slack.findSent(credential, post, sinceMs),
  });
}
