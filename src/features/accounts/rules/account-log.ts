/**
 * Kinds of events in the log of an account. A kind is never renamed or taken away: rows are kept for a year. Its words are in
 * `accounts.trail.<kind>`.
 */
export const accountEventKinds = [
  'signed-up',
  'email-verified',
  'signed-in',
  'sign-in-failed',
  'reauthenticated',
  'reauthentication-failed',
  'signed-out',
  'session-ended',
  'sessions-ended',
  'password-changed',
  'password-reset-asked',
  'password-reset',
  'email-change-asked',
  'email-changed',
  'mfa-enabled',
  'mfa-disabled',
  'mfa-failed',
  'backup-codes-made',
  'backup-code-used',
  'passkey-added',
  'passkey-renamed',
  'passkey-removed',
  'passkey-refused',
  'identity-linked',
  'identity-unlinked',
  'api-key-made',
  'api-key-ended',
  'feed-published',
  'feed-ended',
  'role-granted',
  'role-revoked',
  'install-settings-changed',
  'profile-changed',
  'data-exported',
  'deletion-asked',
  'suspended',
  'resumed',
  'impersonated',
  'impersonation-ended',
] as const;

export type AccountEventKind = (typeof accountEventKinds)[number];

/** A few plain values: `{ method: 'passkey' }`, `{ name: 'Laptop' }`. Never a secret, a code or a token. */
export type AccountEventDetails = Readonly<Record<string, string | number | boolean>>;

export const accountEventMonths = 12;
