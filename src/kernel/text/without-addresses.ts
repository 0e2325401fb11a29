/** Words of a name that can only be addresses: `www.example.org`, `example。org/now`. Browsers read four signs as a dot (RFC 3490 3.1). */
const addressLike = /:\/\/|@|[.。．｡][\p{L}\p{N}-]{2,}[/?#:]|^www[.。．｡]|[\p{L}\p{N}-][。．｡][a-z]{2}/iu;

/** A name that somebody else may have typed, for a reader who has not confirmed it; never empty. */
export const withoutAddresses = (name: string): string =>
  name
    .split(/\s+/)
    .filter((word) => !addressLike.test(word))
    .join(' ')
    .trim() || '…';
