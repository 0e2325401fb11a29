import type { App } from '#platform/app.ts';

/**
 * Proves to us that a notice came by an address that we gave a provider. Microsoft Graph may then send many notices in
 * one body, whose own secrets are inside.
 */
export function hookKey({ keyring }: Pick<App, 'keyring'>): string {
  return keyring.derive('addresses of hooks').toString('base64url');
}
