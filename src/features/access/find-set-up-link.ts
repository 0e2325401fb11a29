import { hasAdministrator } from '#features/accounts/users/public.ts';
import type { App } from '#platform/app.ts';
import { wasSetUp } from './store/set-up.ts';

/**
 * Where the first administrator of a server that others can reach signs up; null where there is, or was, one, and on a
 * machine of one's own, where the first account administers. The first start prints it.
 */
export async function findSetUpLink(app: Pick<App, 'db' | 'config' | 'keyring'>): Promise<string | null> {
  if (!app.config.hasPublicUrl || (await wasSetUp(app.db)) || (await hasAdministrator(app.db))) return null;
  return `${app.config.publicUrl}/signup?setup=${setUpToken(app)}`;
}

/** Follows from the key of the install, so that every process prints and takes the same one. */
export function setUpToken({ keyring }: Pick<App, 'keyring'>): string {
  return keyring.derive('access set-up link').toString('base64url');
}
