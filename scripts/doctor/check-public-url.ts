import { isLoopbackHost } from '#kernel/loopback-host.ts';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { Config } from '#platform/config.ts';
import type { Finding } from './finding.ts';

const subject = 'Public address';

/** Others reach this install under PUBLIC_URL, and so do the notices of Google and Microsoft. */
export async function checkPublicUrl(config: Config, fetch: ApiFetch): Promise<Finding> {
  const { publicUrl } = config;
  const { protocol, hostname } = new URL(publicUrl);
  if (isLoopbackHost(hostname)) {
    return {
      subject,
      state: 'note',
      says: `${publicUrl}: only this machine. Google and Microsoft cannot send notifications, so calendars are polled`,
      mend: 'To let other people in, set PUBLIC_URL to an https address and put a proxy with a certificate in front.',
    };
  }
  if (protocol !== 'https:') {
    return {
      subject,
      state: 'bad',
      says: `${publicUrl} is not https, so sign-in with Google or Microsoft and their notifications do not work`,
      mend: 'Put a proxy with a certificate in front and set PUBLIC_URL to its https address.',
    };
  }
  try {
    const answer = await fetch(`${publicUrl}/healthz`, { signal: AbortSignal.timeout(10_000), redirect: 'manual' });
    const body = await answer.text();
    if (answer.status === 200 && body.includes('"ok"')) {
      return { subject, state: 'ok', says: `${publicUrl} responds to this machine` };
    }
    return {
      subject,
      state: 'bad',
      says: `${publicUrl}/healthz responds with ${answer.status}: another server is there, or the proxy does not forward requests`,
      mend: 'Start Holdfast, and let the proxy forward every path to it (docs/self-hosting.md).',
    };
  } catch (error) {
    return {
      subject,
      state: 'bad',
      says: `${publicUrl} does not answer from this machine: ${reasonOf(error)}`,
      mend: 'Check DNS, the certificate and the firewall. If only this machine cannot reach it, try from another network.',
    };
  }
}

function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
