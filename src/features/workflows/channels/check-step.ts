import type { App } from '#platform/app.ts';
import type { Action, ActionKind, WorkflowOwner } from '../rules/action.ts';
import { actionOf } from '../rules/credential.ts';
import { findCredentialRow } from './store/credentials.ts';

const absent: Record<Exclude<ActionKind, 'send-email'>, string> = {
  'send-sms': 'Connect an account for text messages first, then choose it here.',
  'notify-slack': 'Connect Slack first, then choose it here.',
  'push-to-crm': 'Connect a CRM first, then choose it here.',
};

/** What is wrong with a step that sends through an account; null: nothing. */
export async function checkStep(
  app: Pick<App, 'db'>,
  { userId }: WorkflowOwner,
  action: Exclude<Action, { kind: 'send-email' }>,
): Promise<string | null> {
  const row = await findCredentialRow(app.db, userId, action.credential_id);
  if (row === null || actionOf[row.kind] !== action.kind) return absent[action.kind];
  if (row.refused !== null) return row.refused;
  if (action.kind !== 'notify-slack') return null;
  if (row.kind === 'slack-webhook' && action.channel !== null)
    return 'A webhook posts to its own channel only: leave the channel empty.';
  const hasChannel = action.channel !== null || row.kind === 'slack-webhook' || Boolean(row.settings.channel);
  return hasChannel ? null : 'Say which channel, as the bot has none of its own.';
}
