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

/** Names of hosts whose accounts create no such meeting. */
export function lacking(
  hosts: readonly { name: string; conferences: readonly string[] }[],
  kind: LocationKind,
): string[] {
  if (kind !== 'google-meet' && kind !== 'teams') return [];
  return hosts.filter(({ conferences }) => !conferences.includes(kind)).map(({ name }) => name);
}

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
