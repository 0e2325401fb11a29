/**
 * A server writes one path in several ways (`we%20ird@x.ics` for `we%20ird%40x.ics`, absolute, with `http%3A//`), so
 * objects are named by their decoded path. A ref is that path with only `%2F`, `%25` and escapes that are not UTF-8
 * left as they were: every `%` in a ref starts an escape, and the way back is exact.
 */

/** Characters: what has more is longer than any ref, however it is written. */
const longestHref = 8_000;

/**
 * The ref of an href, or null when it is empty, climbs out of its folder, or is too long. `base` is the ref it may be
 * relative to.
 */
export function refOf(href: string, base: string): string | null {
  if (href.length > longestHref) return null;
  let path = href;
  if (path.charCodeAt(0) !== 0x2f) {
    const absolute = /^https?(?::|%3A)\/\/[^/?#]*/i.exec(path);
    if (absolute !== null) path = path.slice(absolute[0].length) || '/';
    else if (path === '') return null;
    else path = base.slice(0, base.lastIndexOf('/') + 1) + path;
  } else if (path.startsWith('//')) {
    path = path.replace(/^\/\/+/, '/');
  }
  const end = path.search(/[?#]/);
  if (end >= 0) path = path.slice(0, end);
  if (path.includes('%')) path = decoded(path);
  if (path.includes('/.') && /\/\.{1,2}(?:\/|$)/.test(path)) return null;
  return path;
}

/** The path to send for a ref. */
export function pathOf(ref: string): string {
  if (/^[A-Za-z0-9/._~@:-]*$/.test(ref)) return ref;
  return encodeURIComponent(ref)
    .replaceAll('%2F', '/')
    .replaceAll('%40', '@')
    .replaceAll('%3A', ':')
    .replace(/%25([0-9A-F]{2})/g, '%$1');
}

/** A collection's ref always ends with a slash; Zoho answers 404 without it. */
export function collectionRef(ref: string): string {
  return ref.endsWith('/') ? ref : `${ref}/`;
}

function decoded(path: string): string {
  const kept = path.replace(/%(2f|25)/gi, (_, hex: string) => `%25${hex.toUpperCase()}`);
  try {
    return decodeURIComponent(kept);
  } catch {
    // Not UTF-8 (an old Latin-1 server): leave its escapes alone, in one spelling.
    return path.replace(/%[0-9a-f]{2}/gi, (sequence) => sequence.toUpperCase());
  }
}
