import type { OwnSide } from '#features/calendar/rules/audience.ts';
import { isOutside } from '#features/calendar/rules/audience.ts';
import { type MeetingSource, meetingSources } from './measures.ts';

const labels: Readonly<Record<MeetingSource, string>> = {
  direct: 'Direct bookings',
  google: 'Google',
  outlook: 'Outlook',
  icloud: 'iCloud',
  exchange: 'Exchange',
  other: 'Other',
};

/** Most first; sources without a meeting are left out. */
export function sourcesOf(meetings: readonly { source: MeetingSource }[]) {
  const bySource = Map.groupBy(meetings, ({ source }) => source);
  return meetingSources
    .map((source) => ({ source, label: labels[source], count: bySource.get(source)?.length ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((one, other) => other.count - one.count);
}

/** A participant of a meeting. */
export interface Attendance {
  address: string;
  key: string;
  startMs: number;
  /** Whether they had met before the period. */
  isKnown: boolean;
}

const mostDomains = 5;

/** Figures of external participants. Ties go to the domain that comes first in the alphabet. */
export function participantsOf(attendances: readonly Attendance[], own: OwnSide) {
  const outside = attendances.filter(({ address }) => isOutside(address, own));
  const known = new Map(outside.map(({ address, isKnown }) => [address, isKnown]));
  const meetings = new Map<string, Set<string>>();
  for (const { address, key, startMs } of outside) {
    const domain = address.slice(address.lastIndexOf('@') + 1);
    const met = meetings.get(domain) ?? new Set();
    meetings.set(domain, met.add(`${key} ${startMs}`));
  }
  const repeat = [...known.values()].filter(Boolean).length;
  return {
    top_domains: [...meetings]
      .map(([domain, met]) => ({ domain, meetings: met.size }))
      .toSorted((one, other) => other.meetings - one.meetings || (one.domain < other.domain ? -1 : 1))
      .slice(0, mostDomains),
    new_participants: known.size - repeat,
    repeat_participants: repeat,
  };
}
