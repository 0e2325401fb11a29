const localPart = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainName = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * The one form of an e-mail address under which an account is known: NFKC, lower case, domain in ASCII. Null for what is
 * no address. Normalised before it is looked at: a fullwidth `＠` must not pass as part of a name (GHSA-7rqj-j65f-68wh).
 * `+tags` and dots stay: whether they matter is the provider's affair.
 */
export function canonicalEmail(text: string): string | null {
  if (text.length > 400) return null;
  // phones type a curly apostrophe: o’neil@example.org
  const whole = text.normalize('NFKC').replace(/[‘’ʼ]/g, "'").trim().toLowerCase();
  const at = whole.indexOf('@');
  const local = whole.slice(0, at);
  const domain = whole.slice(at + 1);
  if (at < 1 || local.length > 64 || !localPart.test(local)) return null;
  const ascii = URL.parse(`http://${domain}`)?.hostname ?? '';
  // URL also understands ports, paths and numbers; an address has a name, and what was not a name before stays out.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) || !domainName.test(ascii) || /(^|\.)\d+$/.test(ascii)) return null;
  return local.length + 1 + ascii.length > 254 ? null : `${local}@${ascii}`;
}

/** A link that writes to one address and says nothing more: `?` and `&` in the address are no parameters (RFC 6068 2). */
export const mailtoOf = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;
