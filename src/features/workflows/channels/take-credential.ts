import { AppError } from '#kernel/errors.ts';
import type { CredentialId } from '#kernel/ids.ts';
import type { App } from '#platform/app.ts';
import { type Allowance, takeAllowance } from '#platform/limits.ts';
import type { ActionKind, StepOutcome, WorkflowOwner } from '../rules/action.ts';
import { actionOf, type CredentialKind } from '../rules/credential.ts';
import { type OpenCredential, openCredential } from './open-credential.ts';
import { findCredentialRow } from './store/credentials.ts';

/** What a service takes of one account; a little below what it says. */
const allowances: Record<CredentialKind, Omit<Allowance, 'action'>> = {
  // one number sends one message a second, and queues what is more
  twilio: { burst: 10, periodSeconds: 10 },
  'sms-webhook': { burst: 10, periodSeconds: 10 },
  // one message a second
  'slack-webhook': { burst: 3, periodSeconds: 3 },
  'slack-bot': { burst: 3, periodSeconds: 3 },
  'crm-webhook': { burst: 20, periodSeconds: 10 },
  // 100 requests in ten seconds, three for each record
  hubspot: { burst: 30, periodSeconds: 10 },
};

/** The owner's credential for a step, with room for one more call; or why not. */
export async function takeCredential(
  app: App,
  { userId }: Pick<WorkflowOwner, 'userId'>,
  kind: ActionKind,
  id: CredentialId,
): Promise<OpenCredential | (StepOutcome & { outcome: 'refused' })> {
  const row = await findCredentialRow(app.db, userId, id);
  if (row === null || actionOf[row.kind] !== kind)
    return { outcome: 'refused', reason: 'no-credential', permanent: true };
  const credential = await openCredential(app, row);
  if (credential === null) return { outcome: 'refused', reason: 'simulation-off', permanent: true };
  try {
    await takeAllowance(app.db, { action: `workflows ${row.kind}`, ...allowances[row.kind] }, id);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'limited') throw error;
    return { outcome: 'refused', reason: 'rate-limited', permanent: false, retryAfterMs: error.retryAfterMs ?? 1_000 };
  }
  return credential;
}
