import type { Machine } from '../../src/emulators/kit/emulator.ts';
import type { FaultMatch, FaultRule } from '../../src/emulators/kit/faults.ts';
import type { CalendarId } from '../../src/kernel/ids.ts';
import type { Connected } from '../harness/provider-world.ts';
import type { KeptEvent } from './kept-event.ts';

/** A calendar as its owner sees it, alike for all providers. */
export interface KeptCalendar {
  provider: 'caldav' | 'google' | 'microsoft';
  name: string;
  zone: string;
  calendarId: CalendarId;
  /** Zones that the calendar can store for timed events. */
  eventZones: readonly string[];
  /** Operations of its provider that a fault may strike. */
  operations: readonly string[];
  /** Operations that write. */
  writes: readonly string[];
  /** Makes an event, or changes the one of its name to this. */
  keep(event: KeptEvent): void;
  remove(file: string): void;
  /** All that the provider keeps of it, to be compared with what it kept before. */
  shows(file: string): string;
  /** As the product knows it. */
  uidOf(file: string): string;
  /** Blocks in the calendar. */
  blocks(): KeptBlock[];
  /** The next matching request fails: at all accounts of the provider, or at this one. */
  fail(rule: FaultRule, everywhere: boolean): void;
  /** Faults of its own provider from which sync recovers. */
  ownFaults: readonly FaultRule[];
  /** Events at an account that nobody causes, by name. */
  mishaps: Readonly<Record<string, () => void>>;
  /** The product's requests about a block, to find the cause of a fault. */
  asked(block: KeptBlock): string[];
}

/** A block, with what its calendar's person may do to it. */
export interface KeptBlock {
  name: string;
  /** Which block it is; another copy of the same block has the same. */
  key: string;
  /** Whether it bears the mark of the product. */
  isMarked: boolean;
  /** VEVENTs of the event. */
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
