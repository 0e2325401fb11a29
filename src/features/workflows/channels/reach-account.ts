import { AppError } from '#kernel/errors.ts';
import type { App } from '#platform/app.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { CredentialSettings } from '../rules/credential.ts';
import type { Refusal } from '../rules/sending.ts';
import { callWebhook } from './call-webhook.ts';
import { hubspot } from './hubspot.ts';
import type { OpenCredential } from './open-credential.ts';
import { slack } from './slack.ts';
import { twilio } from './twilio.ts';

/** What the service calls the account, and what of it may be shown. */
interface Reached {
  name: string;
  settings?: CredentialSettings;
}

/** Whoever guesses secrets, or wants us to knock at others' doors, does not get far. */
const tries = { action: 'trying services per account', burst: 20, periodSeconds: 600 };

const words: Record<string, string> = {
  'rate-limited': 'The service asks to wait. Try again in a minute.',
  redirected: 'The address leads on to another one. Enter that one.',
};

/**
 * Tries an account with what disturbs nobody; gives its name.
 * *Errors*: AppError invalid (SERVICE_REFUSED), unavailable (SERVICE_UNREACHABLE), limited.
 */
export async function reachAccount(app: Pick<App, 'clock' | 'db'>, credential: OpenCredential): Promise<Reached> {
  await takeAllowance(app.db, tries, credential.userId);
  const nowMs = app.clock.nowMs();
  const answer = await tryService(credential, nowMs);
  if (answer === null || ('kind' in answer && answer.reason === 'unreachable')) {
    throw new AppError(
      'unavailable',
      'SERVICE_UNREACHABLE',
      'There was no answer. Nothing was changed; check the address, or try again in a minute.',
    );
  }
  if (!('kind' in answer)) return answer;
  const { account, reason } = answer;
  throw new AppError('invalid', 'SERVICE_REFUSED', account ?? words[reason] ?? `It was refused: ${reason}.`);
}

async function tryService(credential: OpenCredential, nowMs: number): Promise<Reached | Refusal | null> {
  switch (credential.kind) {
    case 'twilio':
      return twilio.check(credential, nowMs);
    case 'slack-webhook':
    case 'slack-bot':
      return slack.check(credential, nowMs);
    case 'hubspot':
      return hubspot.check(credential, nowMs);
    case 'sms-webhook':
    case 'crm-webhook': {
      const sent = await callWebhook(credential, { id: crypto.randomUUID(), type: 'ping', data: {}, nowMs });
      if (sent.kind === 'unknown') return null;
      return sent.kind === 'sent' ? { name: credential.label } : sent;
    }
  }
}
