import type { AppErrorKind, ProviderError } from '#kernel/errors.ts';

/** Eight calendar colours, told apart in light and dark; given in turn where the provider names none. */
const palette = ['#5e53dd', '#0ca678', '#f76707', '#1c7ed6', '#d6336c', '#74b816', '#ae3ec9', '#1098ad'];

/** A calendar's colour as `#rrggbb`: the provider's (Apple adds two digits of alpha), else the next of the palette. */
export function calendarColor(remote: string | undefined, index: number): string {
  const match = /^#([0-9a-fA-F]{6})(?:[0-9a-fA-F]{2})?$/.exec(remote ?? '');
  if (match?.[1] !== undefined) return `#${match[1].toLowerCase()}`;
  return palette[index % palette.length] ?? '#5e53dd';
}

/** Two letters that stand for a calendar where there is little room. */
export function calendarBadge(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters =
    words.length > 1 ? `${first(words[0])}${first(words[1])}` : [...(words[0] ?? '')].slice(0, 2).join('');
  return letters === '' ? '?' : letters.toUpperCase();
}

const first = (word: string | undefined) => [...(word ?? '')][0] ?? '';

/** Codes of a failed connect attempt that the screen knows; anything else a provider says becomes the nearest one. */
const known = new Set([
  'UNREACHABLE',
  'TLS',
  'WRONG_PASSWORD',
  'LOGIN_PAGE',
  'NOT_CALDAV',
  'NOT_A_FEED',
  'FEED_GONE',
  'FEED_REFUSED',
  'TOO_LARGE',
  'BAD_ANSWER',
]);

/**
 * The message to a person about a provider's refusal. An administrator hears how private addresses are allowed. The
 * message is the same whether or not a server responds there.
 */
export function connectFailure(
  error: ProviderError,
  role: 'user' | 'admin',
): { kind: AppErrorKind; code: string; message: string } {
  if (error.code === 'UNREACHABLE' && role === 'admin') {
    const message = `${error.message} As an administrator, you can allow a private address with CALDAV_ALLOW_PRIVATE.`;
    return { kind: 'invalid', code: error.code, message };
  }
  if (known.has(error.code)) return { kind: 'invalid', code: error.code, message: error.message };
  if (error.kind === 'auth') return { kind: 'invalid', code: 'WRONG_PASSWORD', message: error.message };
  // after the deadline of the whole attempt too: nothing is tried again
  if (error.code === 'TIMEOUT' || error.code === 'ABORTED') {
    const message = 'The server took too long to respond. Check the address, or try again later.';
    return { kind: 'invalid', code: 'UNREACHABLE', message };
  }
  return { kind: 'invalid', code: 'BAD_ANSWER', message: error.message };
}

/** Where an account's credential lies sealed. */
export const secretPlace = (connectionId: string) => ({
  table: 'connections.connections',
  row: connectionId,
  column: 'secret',
});

/** Where the tokens of an account lie sealed. */
export const tokenPlace = (connectionId: string, column: 'access_token' | 'refresh_token') => ({
  table: 'connections.tokens',
  row: connectionId,
  column,
});

export const revocationPlace = (id: string) => ({ table: 'connections.revocations', row: id, column: 'token' });

/** Characters of a label or an address of an account, and how many addresses it has. The database keeps to them too. */
const mostOfIdentity = { chars: 320, addresses: 100 };

/** The label and addresses of an account, within their limits: both are read with each of its events. */
export function boundIdentity<T extends { label: string; addresses: readonly string[] }>(
  account: T,
): T & { addresses: string[] } {
  const { chars, addresses } = mostOfIdentity;
  return {
    ...account,
    label: account.label.slice(0, chars).toWellFormed(),
    addresses: account.addresses.filter((address) => address.length <= chars).slice(0, addresses),
  };
}

/** The label of an account: its e-mail address, or the user name with its server. */
export function accountLabel(username: string, account: { baseUrl: string; addresses: readonly string[] }): string {
  if (username.includes('@')) return username;
  return account.addresses[0] ?? `${username} at ${new URL(account.baseUrl).host}`;
}

interface Listed {
  ref: string;
  writable: boolean;
}

/** True where both lists name the same calendars and say the same of writing to them, in whatever order. */
export function isSameList(one: readonly Listed[], other: readonly Listed[]): boolean {
  const known = new Map(one.map((calendar) => [calendar.ref, calendar.writable]));
  return known.size === other.length && other.every(({ ref, writable }) => known.get(ref) === writable);
}

const resting: readonly string[] = ['disconnecting', 'needs-reconnect', 'suspended'];

/** Whether an account may be read, as far as we know: it stays, it lets us in, and its person is not suspended. */
export const canBeAsked = ({ status }: { status: string }): boolean => !resting.includes(status);
