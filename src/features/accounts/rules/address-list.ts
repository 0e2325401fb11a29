import { canonicalEmail } from './email.ts';

const domain = /^@[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/;

/** `ada@example.org`, or `@example.org` for everybody there; null for anything else. */
export function readAddressEntry(typed: string): string | null {
  const text = typed.trim().toLowerCase();
  if (text.startsWith('@')) return text.length <= 254 && domain.test(text) ? text : null;
  return canonicalEmail(text);
}

/** The entries that would name an address (in its canonical form): itself, its domain, and each domain above that. */
export function entriesNaming(email: string): string[] {
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  return [email, ...labels.slice(0, -1).map((_, n) => `@${labels.slice(n).join('.')}`)];
}

/** Entries of a list as somebody typed it, each once; null where one is neither an address nor a domain. */
export function readAddressList(typed: readonly string[]): string[] | null {
  const entries = typed.map(readAddressEntry).filter((one) => one !== null);
  return entries.length === typed.length ? [...new Set(entries)] : null;
}
