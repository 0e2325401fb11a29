import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { CredentialId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import type { CredentialSecret, CredentialSettings, NewCredential } from '../rules/credential.ts';
import { credentialPlace, openCredential } from './open-credential.ts';
import { reachAccount } from './reach-account.ts';
import { mintSigningSecret } from './sign-webhook.ts';
import { type CredentialRow, insertCredential, mostCredentials } from './store/credentials.ts';

const slackHosts = ['hooks.slack.com', 'hooks.slack-gov.com'];

/**
 * Keeps an account that was seen to work, its secret sealed.
 * *Errors*: AppError as `reachAccount`; invalid (BAD_ADDRESS), conflict (TOO_MANY).
 */
export async function connectCredential(
  app: App,
  actor: Actor,
  given: NewCredential,
  simulated = false,
): Promise<{ id: CredentialId; signing: string | null }> {
  if (given.kind === 'slack-webhook' && !slackHosts.includes(new URL(given.url).host)) {
    throw new AppError('invalid', 'BAD_ADDRESS', 'A webhook of Slack begins with https://hooks.slack.com/services/.', {
      fields: { url: 'Expected an address that begins with https://hooks.slack.com/services/' },
    });
  }
  const id = randomUUIDv7() as string as CredentialId;
  const { settings, secret, label } = partsOf(given);
  const row: CredentialRow = {
    id,
    userId: actor.userId,
    kind: given.kind,
    label,
    settings,
    secret: app.keyring.seal(JSON.stringify(secret), credentialPlace(id)),
    simulated,
    refused: null,
    createdMs: app.clock.nowMs(),
  };
  const credential = await openCredential(app, row, secret);
  if (credential === null) throw new AppError('not-found', 'NOT_FOUND', 'There is nothing here.');
  const reached = await reachAccount(app, credential);
  await inTransaction(app.db, async (tx) => {
    const kept = await insertCredential(tx, {
      ...row,
      label: label === '' ? reached.name.slice(0, 80) : label,
      settings: { ...settings, ...reached.settings },
    });
    if (!kept) {
      throw new AppError(
        'conflict',
        'TOO_MANY',
        `There are ${mostCredentials} already. Disconnect one you do not need.`,
      );
    }
    await app.feed.publish(tx, actor.userId, 'channels');
  });
  return { id, signing: secret.signing ?? null };
}

/** What may be shown, what is sealed, and the name; empty where the service gives it. */
function partsOf(given: NewCredential): { settings: CredentialSettings; secret: CredentialSecret; label: string } {
  switch (given.kind) {
    case 'twilio': {
      const { account_sid: accountSid, auth_token: token, sender, country, monthly_cap: monthlyCap } = given;
      return { settings: { accountSid, sender, country, monthlyCap }, secret: { token }, label: '' };
    }
    case 'slack-bot':
      return { settings: { channel: given.channel }, secret: { token: given.token }, label: '' };
    case 'hubspot':
      return { settings: {}, secret: { token: given.token }, label: '' };
    case 'slack-webhook':
      return { settings: { host: new URL(given.url).host }, secret: { url: given.url }, label: given.label };
    case 'sms-webhook':
    case 'crm-webhook': {
      const { url, label } = given;
      const isSms = given.kind === 'sms-webhook';
      return {
        settings: {
          host: new URL(url).host,
          ...(isSms && { country: given.country, monthlyCap: given.monthly_cap }),
        },
        secret: { url, signing: mintSigningSecret() },
        label,
      };
    }
  }
}
