import { openChannelSimulation } from '#features/simulation/public.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import { serviceOf } from './open-credential.ts';
import { monthOf } from './perform-sms.ts';
import { type CredentialRow, listCredentialRows } from './store/credentials.ts';
import { countMonths } from './store/deliveries.ts';
import { listUses } from './store/uses.ts';

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
