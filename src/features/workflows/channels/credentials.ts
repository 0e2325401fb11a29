import { randomUUIDv7 } from 'node:crypto';
import { loadOwner } from '#features/accounts/public.ts';
import { openChannelSimulation } from '#features/simulation/public.ts';
import { AppError } from '#kernel/errors.ts';
import type { CredentialId, UserId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { inTransaction } from '#platform/db.ts';
import { type ExportPart, jsonPart } from '#platform/export-part.ts';
import { takeAllowance } from '#platform/limits.ts';
import type { CredentialSecret, CredentialSettings, NewCredential, simulatedKinds } from '../rules/credential.ts';
import type { Refusal } from '../rules/sending.ts';
import { monthOf } from './channels.ts';
import { hubspot } from './services/hubspot.ts';
import { credentialPlace, type OpenCredential, openCredential, serviceOf } from './services/services.ts';
import { slack } from './services/slack.ts';
import { twilio } from './services/twilio.ts';
import { callWebhook, mintSigningSecret } from './services/webhook.ts';
import { listConsentHistory } from './store/consents.ts';
import {
  type CredentialRow,
  findCredentialRow,
  insertCredential,
  listCredentialRows,
  mostCredentials,
  updateRefused,
} from './store/credentials.ts';
import { countMonths } from './store/deliveries.ts';
import { listUses } from './store/uses.ts';

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
    throw new AppError('invalid', 'BAD_ADDRESS', 'A Slack webhook URL begins with https://hooks.slack.com/services/.', {
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
  if (credential === null) throw new AppError('not-found', 'NOT_FOUND', 'Not found.');
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
        `You can have up to ${mostCredentials}. Disconnect one you don't need.`,
      );
    }
    await app.feed.publish(tx, actor.userId, 'channels');
  });
  return { id, signing: secret.signing ?? null };
}

/** The visible part, the sealed part, and the name; an empty name comes from the service. */
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

/** A person's accounts as screens show them. */
export async function listCredentials(app: App, actor: Actor) {
  const rows = await listCredentialRows(app.db, actor.userId);
  const ids = rows.map(({ id }) => id);
  const [used, uses] = await Promise.all([
    countMonths(app.db, ids, monthOf(app.clock.nowMs())),
    listUses(app.db, actor.userId),
  ]);
  return Promise.all(
    rows.map(async (row) => ({
      id: row.id,
      kind: row.kind,
      label: row.label,
      detail: detailOf(row),
      refused: row.refused,
      simulated_page: row.simulated ? await pageOf(app, row) : null,
      inbound_url: inboundUrlOf(app, row),
      month:
        row.settings.monthlyCap === undefined ? null : { used: used.get(row.id) ?? 0, cap: row.settings.monthlyCap },
      used_by: uses.filter(({ credentialId }) => credentialId === row.id).map(({ id, name }) => ({ id, name })),
      created_at: row.createdMs,
    })),
  );
}

const detailOf = ({ settings: { sender, channel, host, portalId } }: CredentialRow) =>
  sender ?? channel ?? host ?? (portalId === undefined ? '' : String(portalId));

function inboundUrlOf({ config }: App, { id, kind }: CredentialRow): string | null {
  if (kind === 'twilio') return `${config.publicUrl}/hooks/twilio/${id}/inbound`;
  return kind === 'sms-webhook' ? `${config.publicUrl}/hooks/sms/${id}` : null;
}

async function pageOf(app: App, { kind, settings }: CredentialRow): Promise<string | null> {
  const simulation = await openChannelSimulation(app, serviceOf[kind]!.name);
  return simulation?.pageOf(settings.accountSid ?? String(settings.portalId ?? settings.workspace)) ?? null;
}

/** Connects an account that nobody has, at an emulated service. *Errors*: AppError not-found where those are off. */
export async function simulateCredential(
  app: App,
  actor: Actor,
  kind: (typeof simulatedKinds)[number],
): Promise<CredentialId> {
  const simulation = await openChannelSimulation(app, serviceOf[kind]!.name);
  if (simulation === null) throw new AppError('not-found', 'NOT_FOUND', 'Not found.');
  const { name } = await loadOwner(app.db, actor.userId);
  const { account, token, place } = await simulation.addAccount(name);
  const given = {
    twilio: {
      kind: 'twilio',
      account_sid: account,
      auth_token: token,
      sender: place,
      country: null,
      monthly_cap: 100,
    },
    'slack-bot': { kind: 'slack-bot', token, channel: place },
    hubspot: { kind: 'hubspot', token },
  } as const;
  const { id } = await connectCredential(app, actor, given[kind], true);
  simulation.callAt(account, `${app.config.publicUrl}/hooks/twilio/${id}/inbound`);
  return id;
}

/** Tries an account, and keeps what it said. *Errors*: AppError not-found; as `reachAccount`. */
export async function testCredential(app: App, actor: Actor, id: string): Promise<void> {
  const row = await findCredentialRow(app.db, actor.userId, id);
  const credential = row && (await openCredential(app, row));
  if (credential === null) throw new AppError('not-found', 'NOT_FOUND', 'Account not found.');
  try {
    await reachAccount(app, credential);
  } catch (error) {
    if (error instanceof AppError && error.code === 'SERVICE_REFUSED') {
      await updateRefused(app.db, credential.id, error.message);
      await app.feed.publish(app.db, actor.userId, 'channels');
    }
    throw error;
  }
  await updateRefused(app.db, credential.id, null);
  await app.feed.publish(app.db, actor.userId, 'channels');
}

/** The service's name for the account, and its visible settings. */
interface Reached {
  name: string;
  settings?: CredentialSettings;
}

/** Limits attempts to guess secrets or to make the server call others. */
const tries = { action: 'trying services per account', burst: 20, periodSeconds: 600 };

const words: Record<string, string> = {
  'rate-limited': 'The service is rate limiting us. Try again in a minute.',
  redirected: 'The address redirects to another one. Enter the final address.',
};

/**
 * Tries an account with what disturbs nobody; gives its name.
 * *Errors*: AppError invalid (SERVICE_REFUSED), unavailable (SERVICE_UNREACHABLE), limited.
 */
async function reachAccount(app: Pick<App, 'clock' | 'db'>, credential: OpenCredential): Promise<Reached> {
  await takeAllowance(app.db, tries, credential.userId);
  const nowMs = app.clock.nowMs();
  const answer = await tryService(credential, nowMs);
  if (answer === null || ('kind' in answer && answer.reason === 'unreachable')) {
    throw new AppError(
      'unavailable',
      'SERVICE_UNREACHABLE',
      'No response. Check the address, or try again in a minute.',
    );
  }
  if (!('kind' in answer)) return answer;
  const { account, reason } = answer;
  throw new AppError(
    'invalid',
    'SERVICE_REFUSED',
    account ?? words[reason] ?? `The calendar refused the change: ${reason}.`,
  );
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

/** Columns of the export. A new column is left out until it is listed here. */
const told = ['id', 'kind', 'label', 'settings', 'simulated', 'refused', 'createdMs'] satisfies (keyof CredentialRow)[];

/** Accounts that workflows send through, without any access to them, and who agreed to text messages. */
export function exportChannels({ db }: Pick<App, 'db'>, userId: UserId): ExportPart[] {
  return [
    jsonPart('workflow-accounts.json', async () =>
      (await listCredentialRows(db, userId)).map((row) => Object.fromEntries(told.map((key) => [key, row[key]]))),
    ),
    jsonPart('text-message-consents.json', () => listConsentHistory(db, userId)),
  ];
}
