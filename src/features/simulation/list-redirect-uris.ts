import type { Config } from '#platform/config.ts';

/** Where an emulated provider sends browsers back to: from connecting a calendar, and from signing in. */
export function listRedirectUris({ publicUrl }: Pick<Config, 'publicUrl'>, provider: 'google' | 'microsoft'): string[] {
  return [`${publicUrl}/provider/${provider}/callback`, `${publicUrl}/auth/oauth/${provider}/callback`];
}
