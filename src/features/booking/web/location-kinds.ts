import type { Settings } from './queries.ts';

export type Location = Settings['location'];
export type LocationKind = Location['kind'];

/** Where a meeting can be; with the provider whose account makes it. */
export const locationKinds: readonly { kind: LocationKind; provider?: string }[] = [
  { kind: 'google-meet', provider: 'google' },
  { kind: 'teams', provider: 'microsoft' },
  { kind: 'phone' },
  { kind: 'in-person' },
  { kind: 'link' },
];

/** A place of which nothing is said yet. */
export function emptyLocation(kind: LocationKind): Location {
  switch (kind) {
    case 'in-person':
      return { kind, address: '' };
    case 'phone':
      return { kind, who_calls: 'host', number: '' };
    case 'link':
      return { kind, url: 'https://' };
    case 'google-meet':
    case 'teams':
      return { kind };
  }
}
