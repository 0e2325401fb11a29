import { openChannelSimulation, type SimulatedService } from '#features/simulation/public.ts';
import type { App } from '#platform/app.ts';
import { FetchError, whyNotSent } from '#platform/fetch.ts';
import type { CredentialKind, CredentialSecret } from '../../rules/credential.ts';
import type { Heard } from '../../rules/sending.ts';
import type { CredentialRow } from '../store/credentials.ts';

/** A credential ready for use. */
export interface OpenCredential extends Omit<CredentialRow, 'secret'> {
  secret: CredentialSecret;
  /** Root of the service's API, or the address that was entered. Without a slash at its end. */
  url: string;
  call(call: Omit<OutsideCall, 'isEntered'>): Promise<Heard>;
}

type OpenerApp = Pick<App, 'config' | 'keyring' | 'fetch' | 'apiFetch' | 'log' | 'clock'>;

/** Services with a known API. Other kinds are an address that a person entered. */
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

interface OutsideCall {
  url: string;
  method?: 'GET' | 'POST' | 'PUT';
  headers?: Record<string, string>;
  body?: string;
  /** A person entered the address: only where anybody may go. */
  isEntered: boolean;
}

const timeoutMs = 15_000;
const mostBytes = 1_000_000;

/** One exchange; whatever goes wrong on its way is no answer. */
export async function callOutside(
  app: Pick<App, 'fetch' | 'apiFetch' | 'log'>,
  { url, method = 'GET', headers = {}, body, isEntered }: OutsideCall,
): Promise<Heard> {
  const given = { method, headers, ...(body === undefined ? {} : { body }) };
  try {
    if (isEntered) {
      const answer = await app.fetch.request({ url, ...given, timeoutMs, maxBytes: mostBytes });
      // the body may be anybody's text, and no step reads it
      return heard(answer.status, answer.headers, answer.body, null);
    }
    const answer = await app.apiFetch(url, { ...given, signal: AbortSignal.timeout(timeoutMs) });
    const text = await answer.text();
    return heard(answer.status, Object.fromEntries(answer.headers), text, jsonOf(text));
  } catch (error) {
    // the address may hold a secret: its host is all that the log gets
    app.log.info(
      { host: new URL(url).host, err: error instanceof FetchError ? error.code : error },
      'a service gave no answer',
    );
    return { kind: 'none', connected: whyNotSent(error) === null };
  }
}

function heard(status: number, headers: Record<string, string>, body: string, json: unknown): Heard {
  return { kind: 'answer', status, headers, body: body.slice(0, mostBytes), json };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null; // SyntaxError: a page for people, or a word
  }
}
