import { expect } from 'vitest';
import { ProviderError } from '#kernel/errors.ts';
import type { Item, When } from '#kernel/event.ts';
import type { TagVerifier } from '#kernel/mirror-identity.ts';
import type { CalendarProvider, PullEnd, PullPage, PullRequest, SeriesShape, Written } from './port.ts';

/** The server and person that the conformance suite needs. */

/** An event as its owner makes it, in words every provider can render. */
export interface UserEvent {
  uid: string;
  title: string;
  when: When;
  notes?: string;
  /** RRULE value. */
  rule?: string;
  /** Original starts that are cancelled, in the form of `when`. */
  cancelled?: string[];
  /** One instance, by its original start, moved to another time. */
  moved?: { original: string; start: string; title: string };
  /** Value of our mirror tag, for copies and forgeries. */
  tag?: string;
}

/** The other side: the person at their own calendar app, and what may happen to the account. */
export interface ConformanceWorld {
  provider: CalendarProvider;
  /** An empty calendar of this test's own. */
  calendarRef: string;
  user: {
    /** Creates or replaces, and gives the object's ref. */
    put(event: UserEvent): Promise<string>;
    remove(ref: string): Promise<void>;
    /** Changes the title of whatever stands there. */
    retitle(ref: string, title: string): Promise<void>;
    /** Sets something on an event that Holdfast knows nothing of; absent where there is no such thing. */
    mark?(ref: string): Promise<void>;
    /** Whether what `mark` set still stands there, as it was set. */
    isMarked?(ref: string): Promise<boolean>;
    /** Stores bytes that are no event the way a broken app would; absent where the server refuses them. */
    putRaw?(name: string, text: string): Promise<string>;
  };
  /** Another person, who lets the account see when they are busy; absent where the provider tells nothing of others. */
  colleague?: {
    address: string;
    /** Puts an event into their calendar; the start is in UTC: `2027-03-09T09:00`. */
    meet(start: string, minutes: number): Promise<void>;
  };
  removeCalendar?(): Promise<void>;
  /** Lets the server's clock go on where it cannot tell two changes within one second apart. */
  settle?(): Promise<void>;
  /** Lets the adapter's clock go on; absent where the adapter asks for no time. */
  goOn?(ms: number): void;
  /** The same account opened with a credential that is refused. */
  withWrongCredential?(): CalendarProvider;
  /** A cursor this calendar can no longer honour. */
  staleCursor?(cursor: string): string;
  close(): Promise<void>;
}

export interface ConformanceOptions {
  name: string;
  /** Once for the whole suite: starts the server. Gives a fresh world per test. */
  start(): Promise<{ open(tags: TagVerifier): Promise<ConformanceWorld>; stop(): Promise<void> }>;
  /** As the adapter's capabilities have it; none unless given. */
  conference?: 'google-meet' | 'teams';
  /** As the adapter's capabilities have it; `native` unless given. */
  series?: SeriesShape;
  /** Why it cannot run here; the suite is then skipped and says so. */
  skip?: string | null;
  /** Differences that the server itself imposes, each with its reason. */
  differs?: {
    /** A write with a stale version may win: the server checks and writes in two steps. */
    losesRaces?: string;
    /** An unchanged version is fetched again: its versions repeat. */
    refetchesOwnWrites?: string;
    /** Floating times are stored as times of the account's zone. */
    pinsFloating?: string;
    /** A backslash before an n does not survive the server's own parser. */
    manglesBackslashN?: string;
    /** The value of a quoted parameter is stored without its quotes. */
    unquotesParameters?: string;
    /** Reason why pulls repeat changes from the last second of their token. */
    repeatsLastSecond?: string;
    /** A cursor the server forgot is answered with a listing instead of a refusal. */
    staleCursorLists?: string;
  };
}

export interface Pulled {
  items: Item[];
  gone: string[];
  pages: number;
  end: PullEnd;
}

export async function pullAll(world: ConformanceWorld, request: Partial<PullRequest>): Promise<Pulled> {
  const pages = world.provider.pull({
    calendarRef: world.calendarRef,
    cursor: null,
    full: false,
    known: () => Promise.resolve(new Map()),
    signal: signal(),
    ...request,
  });
  const items: Item[] = [];
  const gone: string[] = [];
  for (let count = 0; ; count += 1) {
    const step: IteratorResult<PullPage, PullEnd> = await pages.next();
    if (step.done) return { items, gone, pages: count, end: step.value };
    items.push(...step.value.items);
    gone.push(...step.value.gone);
  }
}

export function knownFrom(items: Item[]): PullRequest['known'] {
  const versions = new Map(items.map((item) => [item.ref, item.version]));
  return (refs) =>
    Promise.resolve(new Map(refs.flatMap((ref) => (versions.has(ref) ? [[ref, versions.get(ref) ?? '']] : []))));
}

export function signal(): AbortSignal {
  return AbortSignal.timeout(20_000);
}

export interface Outcome {
  value?: Written;
  error?: ProviderError;
}

export async function outcomeOf(work: Promise<Written>): Promise<Outcome> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof ProviderError) return { error };
    throw error;
  }
}

/** The kind of the refusal; a success or any other error fails the test. */
export async function kindOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ProviderError) {
      expect(error.message).toMatch(/^.{15,}[.]$/s);
      return error.kind;
    }
    throw error;
  }
  throw new Error('It succeeded, and a refusal was expected');
}
