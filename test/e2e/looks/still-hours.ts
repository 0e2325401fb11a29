import type { availabilityContract } from '../../../src/features/availability/contract.ts';
import { defaultHours } from '../../../src/features/availability/rules/hours.ts';
import { compileFacts, compileHours, openSpans } from '../../../src/features/availability/rules/open-spans.ts';
import type { Output } from '../../../src/kernel/contract.ts';
import { printInstant } from '../../../src/kernel/time/local.ts';
import { person } from './still-week.ts';

/** Nine to five on weekdays, where that person lives. */
export function openHours(query: URLSearchParams): Output<typeof availabilityContract.openHours> {
  const instant = (name: string) => Temporal.Instant.from(query.get(name) ?? '').epochMilliseconds;
  const range = { startMs: instant('from'), endMs: instant('to') };
  const facts = compileFacts({ daysOff: [], holidays: [], travels: [] });
  const spans = openSpans(compileHours(defaultHours(person.timezone)), facts, range);
  return {
    zone: person.timezone,
    spans: spans.map(({ startMs, endMs }) => ({ start: printInstant(startMs), end: printInstant(endMs) })),
  };
}
