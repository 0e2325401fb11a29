import { openChannelSimulation, type SimulatedService } from '#features/simulation/public.ts';
import type { App } from '#platform/app.ts';
import type { CredentialKind, CredentialSecret } from '../rules/credential.ts';
import type { Heard } from '../rules/sending.ts';
import { callOutside, type OutsideCall } from './call-outside.ts';
import type { CredentialRow } from './store/credentials.ts';

/** A credential ready for use. */
export interface OpenCredential extends Omit<CredentialRow, 'secret'> {
  secret: CredentialSecret;
  /** Root of the service's API, or the address that was entered. Without a slash at its end. */
  url: string;
  call(call: Omit<OutsideCall, 'isEntered'>): Promise<Heard>;
}

export type OpenerApp = Pick<App, 'config' | 'keyring' | 'fetch' | 'apiFetch' | 'log' | 'clock'>;

/** Those with an API of a known service; the others are an address that a person entered. */
export const serviceOf: Partial<Record<CredentialKind, { name: SimulatedService; url: string }>> = {
  twilio: { name: 'twilio', url: 'https://api.twilio.com' },
  'slack-bot': { name: 'slack', url: 'https://slack.com/api' },
  hubspot: { name: 'hubspot', url: 'https://api.hubapi.com' },
};

export const credentialPlace = (id: string) => ({ table: 'workflows.credentials', row: id, column: 'secret' });

/** Null for a simulated account where those are switched off. `secret`: where it is not sealed yet. */
export async function openCredential(
  app: OpenerApp,
  row: CredentialRow,
  secret = JSON.parse(app.keyring.open(row.secret, credentialPlace(row.id))) as CredentialSecret,
): Promise<OpenCredential | null> {
  const service = serviceOf[row.kind];
  const isEntered = service === undefined;
  const call: OpenCredential['call'] = (wanted) => callOutside(app, { ...wanted, isEntered });
  if (service === undefined) return { ...row, secret, url: secret.url ?? '', call };
  if (!row.simulated) {
    return { ...row, secret, url: app.config.endpoints[service.name].apiUrl ?? service.url, call };
  }
  const simulation = await openChannelSimulation(app, service.name);
  return simulation && { ...row, secret, url: simulation.apiUrl, call };
}
