import type { App } from '#platform/app.ts';
import type { PerformedRun, RenderedOf, StepOutcome } from '../rules/action.ts';
import { callWebhook } from './call-webhook.ts';
import { deliver } from './deliver.ts';
import { hubspot } from './hubspot.ts';
import { claimRecord, releaseRecord } from './store/deliveries.ts';
import { takeCredential } from './take-credential.ts';

/** Longer than all calls of one push take. */
const busyMs = 90_000;

/** One contact and one activity of a booking, made or changed; an older state of it never follows a newer one. */
export async function performCrm(
  app: App,
  run: PerformedRun,
  { credentialId, record }: RenderedOf<'push-to-crm'>,
): Promise<StepOutcome> {
  const credential = await takeCredential(app, run, 'push-to-crm', credentialId);
  if ('outcome' in credential) return credential;
  const { externalId, sequence } = record;
  const nowMs = app.clock.nowMs();
  const untilMs = nowMs + busyMs;
  const claimed = await claimRecord(app.db, { credentialId, externalId, sequence, nowMs, untilMs });
  if (claimed === null) return { outcome: 'refused', reason: 'under-way', permanent: false, retryAfterMs: 5_000 };
  if (!claimed) return { outcome: 'refused', reason: 'overtaken', permanent: true };
  try {
    return await deliver(app, {
      key: run.key,
      credential,
      send: (atMs) =>
        credential.kind === 'hubspot'
          ? hubspot.send(credential, record, atMs)
          : callWebhook(credential, { id: run.key, type: 'booking.upsert', data: toWire(record), nowMs: atMs }),
    });
  } finally {
    await releaseRecord(app.db, { credentialId, externalId, untilMs });
  }
}

/** As receivers read it: docs/webhooks.md. */
function toWire({ externalId, sequence, state, noShow, contact, activity }: RenderedOf<'push-to-crm'>['record']) {
  const { startMs, endMs, ...told } = activity;
  const at = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();
  return {
    external_id: externalId,
    sequence,
    state,
    no_show: noShow,
    contact,
    activity: { ...told, starts_at: at(startMs), ends_at: at(endMs) },
  };
}
