/** Stands for whatever site this is; no address that people give resolves to it. */
const here = 'http://own.invalid';

/**
 * The address of a page of this site that somebody wants to come back to, as path, query and fragment; null for anything
 * else. Read as browsers read it: `/\t/evil.example` and `/\evil.example` are other sites.
 */
export function ownPath(wanted: unknown): string | null {
  if (typeof wanted !== 'string' || !wanted.startsWith('/') || wanted.length > 2_000) return null;
  const url = URL.parse(wanted, here);
  // `/.//evil.example` stays here, yet its path would lead away when it is followed.
  if (url === null || url.origin !== here || url.pathname.startsWith('//')) return null;
  return url.pathname + url.search + url.hash;
}
