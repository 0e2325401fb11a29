/**
 * Names in public addresses: lower case a-z, digits and single hyphens, so that no letter of another script can pass
 * for one of them. Lookalikes (`pau1`, `rnax`) count as one name.
 */

export const handlePattern = /^[a-z0-9](?:-?[a-z0-9])*$/;

export const shortestHandle = 3;
export const longestHandle = 40;
export const longestSlug = 64;

/** How long a handle that was given up leads to its person, and is nobody else's. */
export const handleRestDays = 90;
/** Handles that one person may have given up at a time. */
export const mostResting = 3;

/** How a handle looks to somebody who reads it in passing. */
export function lookOf(handle: string): string {
  return handle
    .replaceAll('-', '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l')
    .replaceAll('i', 'l')
    .replaceAll('5', 's')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** Whether a name is one that people take for ours: the product's own addresses, and who speaks for it. */
export function isReserved(handle: string): boolean {
  return reservedLooks.has(lookOf(handle)) || handle.startsWith('xn-');
}

/**
 * First parts of addresses of this product, now or soon (test/first-segments.test.ts compares), names of files that
 * programs look for, and names that a stranger would trust.
 */
export const reserved: readonly string[] = `
  admin analytics api assets auth availability avatars billing book booked booking booking-links bookings brand calendar calendars confirm connect
  contacts dashboard demo dev docs embed emulated events event-types explain export feed feeds files fonts handle
  healthz health help home hooks icon icons images inbox index integrations invite join link links login logout mail
  manage manifest meet meeting-links meetings metrics mfa mirrors news notices oauth page pages password ping pricing
  privacy profile provider providers public readyz register reset robots routing search security service-worker session sessions
  settings setup set-up share signin sign-in signout signup sign-up sitemap src start static status stream
  subscribe support sync team team-logos teams terms theme times token unsubscribe user users verify verify-email webhook
  webhooks well-known wellknown workflows www abuse account accounts administrator billing-support contact favicon
  holdfast hostmaster info legal moderator null official operator owner postmaster root sales staff system test
  tour trust undefined webmaster anonymous everyone none nobody`
  .trim()
  .split(/\s+/);
const reservedLooks: ReadonlySet<string> = new Set(reserved.map(lookOf));

/** A name for an address out of what people write: `Zoë Łukasz` becomes `zoe-lukasz`; empty where nothing is left. */
export function nameForAddress(written: string, longest: number): string {
  return foldLetters(written)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-|-$/g, '');
}

function foldLetters(written: string): string {
  return written
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .replace(/[ßøæœłđðþı]/g, (letter) => plain[letter] ?? '');
}
const plain: Record<string, string> = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i' };

/** Names that somebody might like, the best first; `mark` makes one that hardly anybody has. */
export function handlesLike(name: string, mark: string): string[] {
  const short = nameForAddress(name, longestHandle - 5);
  const base = short.length >= shortestHandle ? short : short === '' ? 'host' : `with-${short}`;
  return [base, `with-${base}`, `${base}-${mark}`, ...[2, 3, 4, 5].map((n) => `${base}-${n}`)].filter(
    (one) => one.length <= longestHandle,
  );
}
