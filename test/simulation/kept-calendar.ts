import type { Machine } from '../../src/emulators/kit/emulator.ts';
import type { FaultMatch, FaultRule } from '../../src/emulators/kit/faults.ts';
import type { CalendarId } from '../../src/kernel/ids.ts';
import type { Connected } from '../harness/provider-world.ts';
import type { KeptEvent } from './kept-event.ts';

/** A calendar as whoever owns it has it in hand, at whichever provider: alike for all of them. */
export interface KeptCalendar {
  provider: 'caldav' | 'google' | 'microsoft';
  name: string;
  zone: string;
  calendarId: CalendarId;
  /** What times can be kept in here, beside whole days. */
  eventZones: readonly string[];
  /** Of its provider's requests, what a fault may strike. */
  operations: readonly string[];
  /** Those of them that write. */
  writes: readonly string[];
  /** Makes an event, or changes the one of its name to this. */
  keep(event: KeptEvent): void;
  remove(file: string): void;
  /** All that the provider keeps of it, to be compared with what it kept before. */
  shows(file: string): string;
  /** As the product knows it. */
  uidOf(file: string): string;
  /** What stands there and is nobody's event. */
  blocks(): KeptBlock[];
  /** The next matching request fails: at all accounts of the provider, or at this one. */
  fail(rule: FaultRule, everywhere: boolean): void;
  /** Faults of its provider's own kind, after which all goes on by itself. */
  ownFaults: readonly FaultRule[];
  /** What happens to an account without anybody's doing, by its name. */
  mishaps: Readonly<Record<string, () => void>>;
  /** What the product asked about it, for whoever looks for the reason of a fault. */
  asked(block: KeptBlock): string[];
}

/** A block, with what its calendar's person may do to it. */
export interface KeptBlock {
  name: string;
  /** Which block it is; another copy of the same block has the same. */
  key: string;
  /** Whether it bears the mark of the product. */
  isMarked: boolean;
  /** Its VEVENTs. */
  components: string;
  /** The mark as an event of the same provider would bear it that was copied from the block. */
  mark: string;
  remove(): void;
  /** Gives it another title, and another time. */
  change(): void;
  /** Takes one day out of a series; null for a single event. */
  leaveOut: (() => void) | null;
}

export function calendarOf({ calendars }: Connected): CalendarId {
  const [only] = calendars;
  if (only === undefined) throw new Error('the account has no calendar');
  return only.calendarId;
}

/** Faults of a provider's catalogue, by name with their variants; `narrowed`: those that strike less than the catalogue has. */
export const catalogued = (
  { faultNamed }: Pick<Machine<unknown>, 'faultNamed'>,
  faults: Readonly<Record<string, readonly string[]>>,
  narrowed: Readonly<Record<string, FaultMatch>>,
): FaultRule[] =>
  Object.entries(faults).flatMap(([name, variants]) =>
    variants.map((variant) => faultNamed(name, variant, narrowed[name] ?? {})),
  );
