import type { EventBody, Item, RecId } from '#kernel/event.ts';
import type { Reply } from '#kernel/itip/write-reply.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { Span } from '#kernel/time/intervals.ts';
import type { WorkBudget, WorkLimitError } from '#kernel/work-budget.ts';

/**
 * The port of a calendar provider. An adapter translates; it never retries, never sleeps, never decides. Every failure
 * is a ProviderError. Every call honors `signal`.
 */

export interface RemoteCalendar {
  /** The provider's stable name: CalDAV collection URL path, Google or Graph calendar id. */
  ref: string;
  name: string;
  color?: string;
  /** IANA zone of floating times, where the provider tells one. */
  zone?: string;
  writable: boolean;
  primary: boolean;
  /** The meetings that its events can have, of those that the adapter makes; absent: the provider does not tell. */
  conferences?: Conference[];
}

/** A meeting that a provider makes for an event. */
export type Conference = 'google-meet' | 'teams';

export interface PullRequest {
  calendarRef: string;
  /** Opaque, from the last pull; null asks for everything. */
  cursor: string | null;
  /** A complete listing is wanted even where the cursor is good (the daily scrub). */
  full: boolean;
  /** Set for a pull without any notice of a change: a cheaper check may come first. */
  routine?: boolean;
  /**
   * How often in a row this calendar could not be read before. An object that its server cannot give fails the pull, after
   * all else was given; from `patience` such failures on it is withheld instead, so that it does not stop the calendar.
   */
  failures?: number;
  /** Versions we hold for these refs; what is unchanged is not fetched again. */
  known(refs: string[]): Promise<Map<string, string>>;
  /** Budget of this reading; absent: one of its own. A pull past it fails with a WorkLimitError. */
  budget?: WorkBudget;
  /**
   * Fails with a WorkLimitError where these items, all that the calendar has, would break the limits once stored. For an
   * adapter that knows everything before it gives anything: it then answers `refused`, and gives nothing.
   */
  weigh?(items: Item[]): Promise<void>;
  signal: AbortSignal;
}

/** Failures in a row after which one object is no longer waited for. */
export const patience = 3;

export interface PullPage {
  items: Item[];
  /** Refs the provider says are gone (positive evidence only). */
  gone: string[];
}

export interface PullEnd {
  cursor: string | null;
  /** Every ref of the calendar, when this pull was a complete, successful listing; else null. */
  listed: Set<string> | null;
  /**
   * The stretch of time that `listed` speaks for, half-open, epoch ms, where the provider lists no more than that: what
   * it does not name is then asked for by name (`readByName`), and outside the stretch it proves nothing.
   */
  covers?: { fromMs: number; toMs: number };
  /** Warnings about the calendar as a whole, not about one event; absent where nothing new was read. At most 20. */
  warnings?: readonly string[];
  /** The zone of its floating times, where the calendar was read and tells: null where it has none of its own. */
  zone?: string | null;
  /** Requests sent, for metrics and benches. */
  requests: number;
  /** The publisher's minimal interval between readings, for every reader. */
  restMs?: number;
  /**
   * Set if the calendar needs more work than one reading may cause. No page was returned; the cursor remembers the
   * refusal.
   */
  refused?: WorkLimitError;
}

/** The content of a mirror: a Single or a Series whose Core carries only what the rule allows. */
export type MirrorBody = Extract<EventBody, { kind: 'single' | 'series' }>;

export interface Written {
  ref: string;
  /** The version the provider gave; adapters read back when the write's answer has none. */
  version: string;
  requestId?: string;
}

export interface FoundMirror extends Written {
  item: Item;
}

/**
 * Code of a `rate-limited` error before anything was asked: nothing failed, the account's own bounds say when to come
 * back (`retryAfterMs`). It may come from every call.
 */
export const pacedCode = 'PACED';

/** Code of a `not-found` error that is about the calendar: what stood in it may stand there still. */
export const calendarGoneCode = 'CALENDAR_GONE';

export interface CalendarProvider {
  listCalendars(signal: AbortSignal): Promise<RemoteCalendar[]>;

  /** Changes since the cursor, page by page; the returned PullEnd is valid only after the last page. */
  pull(request: PullRequest): AsyncGenerator<PullPage, PullEnd>;

  /** Reads these events; each is among the items or, on the provider's own word, gone. Goes with `covers`. */
  readByName?(calendarRef: string, refs: string[], signal: AbortSignal): AsyncGenerator<PullPage, void>;

  /** Creates the object under its identity. `precondition` when an object with that identity stands already. */
  createMirror(calendarRef: string, identity: MirrorIdentity, body: MirrorBody, signal: AbortSignal): Promise<Written>;

  /** Replaces the object if it is still at `version`; `precondition` if not, `not-found` if it is gone (or its calendar, by the code). */
  updateMirror(
    calendarRef: string,
    current: { ref: string; version: string },
    identity: MirrorIdentity,
    body: MirrorBody,
    signal: AbortSignal,
  ): Promise<Written>;

  /** Deletes the object if it is still at `version`; `not-found` counts as done for the caller. */
  deleteMirror(calendarRef: string, current: { ref: string; version: string }, signal: AbortSignal): Promise<void>;

  /** The probe after an unknown outcome: what stands under this identity now, or null. */
  findMirror(calendarRef: string, identity: MirrorIdentity, signal: AbortSignal): Promise<FoundMirror | null>;

  /** Notices of changes, where the provider sends any (`ProviderCapabilities.push`). */
  push?: PushChannels;

  /** The person's own events, where the account can be written. */
  events?: EventWriter;

  /**
   * When people are busy, by the addresses as given; absent where the provider has no such call. Within at most 42 days.
   * Errors: `auth` or `rejected` where the account may not ask.
   */
  freeBusy?(addresses: readonly string[], range: Span, signal: AbortSignal): Promise<FreeBusy>;

  /** Frees sockets; the value is not used afterwards. */
  close(): Promise<void>;
}

/** Busy times of people in no order; null where the provider tells nothing of a person, who then may be busy. */
export type FreeBusy = Map<string, readonly Span[] | null>;

/** Name of an event that a person creates here: the same for every attempt, so that a lost answer never makes a second. */
export interface EventIdentity {
  /** base32hex: letters a-v and digits. */
  key: string;
  /** `<key>@holdfast.invalid` */
  uid: string;
}

/**
 * Writes of a person's own events, as opposed to our blocks: nothing marks them as ours, and of an object that stands
 * already only what differs is written. `tellGuests`: the provider mails those invited.
 */
export interface EventWriter {
  /** The object as it stands, a series with its overrides; null where it is gone. */
  read(calendarRef: string, ref: string, signal: AbortSignal): Promise<FoundMirror | null>;

  /**
   * Creates the object under its identity. `precondition` when an object with that identity stands already.
   * `conference`: the provider makes a meeting for it (`ProviderCapabilities.conference`); its link is the event's
   * `joinUrl`, at once or when the event is read later.
   */
  create(
    calendarRef: string,
    identity: EventIdentity,
    body: MirrorBody,
    options: { tellGuests: boolean; conference?: boolean },
    signal: AbortSignal,
  ): Promise<FoundMirror>;

  /** The probe after an unknown outcome of `create`: what stands under this identity now, or null. */
  find(calendarRef: string, identity: EventIdentity, signal: AbortSignal): Promise<FoundMirror | null>;

  /**
   * Writes what differs between `before` and `after` if the object is still at `version`; all else of it stays. Errors:
   * `precondition` when it changed, `not-found` when it is gone. Where an object is several things at the provider this
   * takes several calls: a crash leaves each as before or as after, and the caller comes back with `before` as it reads
   * then.
   */
  change(
    calendarRef: string,
    current: { ref: string; version: string },
    before: MirrorBody,
    after: MirrorBody,
    options: { tellGuests: boolean },
    signal: AbortSignal,
  ): Promise<FoundMirror>;

  /**
   * Writes the calendar owner's answer to an invitation if the object is still at `version`: `self` as `after` has it, in
   * the parts that are answered. All else of it stays. Absent where no invitation can stand. Errors: as `change`.
   */
  answer?(
    calendarRef: string,
    current: { ref: string; version: string },
    after: MirrorBody,
    answer: Answer,
    signal: AbortSignal,
  ): Promise<Answered>;

  /** Deletes the object if it is still at `version`; `not-found` counts as done for the caller. */
  remove(
    calendarRef: string,
    current: { ref: string; version: string },
    options: { tellGuests: boolean },
    signal: AbortSignal,
  ): Promise<void>;
}

/** An answer to an invitation. */
export interface Answer {
  /** The answered instances by name, and '' for a single event or what all instances of a series share. */
  parts: readonly (RecId | '')[];
  /** The organizer hears of it, where the provider leaves that to the one who answers. */
  tellOrganizer: boolean;
  /** For the organizer; null: none. */
  note: string | null;
  /** An answer that stands already is given once more, for its note. */
  again: boolean;
}

export interface Answered {
  /** Null: the provider took the declined event out of the calendar. */
  found: FoundMirror | null;
  /** A mail that the organizer must get, where the provider tells nobody. */
  reply: Reply | null;
}

/** Where a provider shall knock when a calendar changes. */
export interface PushHook {
  /** Our name of the channel, never used twice. */
  id: string;
  /** Public https address of notices; `lifecycleUrl` takes what a provider says of the channel itself. */
  url: string;
  lifecycleUrl: string;
  /** Secret that each delivery must carry: 32 to 128 characters. */
  secret: string;
}

/** A channel that stands at the provider. */
export interface PushChannel {
  /** The provider's name of it: Google's channel id, Graph's subscription id. */
  ref: string;
  /** Google's `resourceId`, which closing asks for and deliveries repeat; Graph's resource. */
  resource: string;
  expiresMs: number;
}

/**
 * A notice is a hint to pull, never a fact; a calendar without a channel is polled more often.
 *
 * *Errors* of `open`: `rejected` with code PUSH_UNSUPPORTED where this calendar never sends any, PUSH_URL_REFUSED where
 * the provider does not accept our address (for the operator); `precondition` with PUSH_DUPLICATE where one stands
 * already under that name or for that resource.
 */
export interface PushChannels {
  open(calendarRef: string, hook: PushHook, signal: AbortSignal): Promise<PushChannel>;
  /** A longer life for the same channel; null where the provider knows no renewal: open another, then close this. */
  renew(channel: PushChannel, signal: AbortSignal): Promise<PushChannel | null>;
  /** Closing what is not there is done. */
  close(channel: PushChannel, signal: AbortSignal): Promise<void>;
  /** Open channels of a calendar with their secrets; absent if the provider cannot list them. */
  listOpen?(calendarRef: string, signal: AbortSignal): Promise<{ channel: PushChannel; secret: string }[]>;
}

/** Access to an OAuth-protected API for one account. Source: RFC 6749, RFC 6750. */
export interface AccessTokens {
  /**
   * An access token that lives another minute; refreshes where it must, once for all who wait, whatever the process.
   *
   * *Errors*: ProviderError `auth` when the grant is gone, `transient` when the token endpoint does not answer.
   */
  get(signal: AbortSignal): Promise<string>;
  /** The API answered 401 to this token: the next `get` brings another. */
  refuse(token: string): void;
}

/** Credentials of an account. */
export type Credential =
  | { kind: 'password'; username: string; password: string }
  | { kind: 'oauth'; tokens: AccessTokens }
  /** The address of a feed, which is all it takes to read it: as secret as a password. */
  | { kind: 'address'; url: string }
  /** Our own calendar. */
  | { kind: 'none' };

export type SeriesShape = 'native' | 'punch-out' | 'expanded';

/** Capabilities of an adapter as data, for planner, limiter and screens. */
export interface ProviderCapabilities {
  /**
   * How a series stands in a calendar of this provider: `native`, one object with its exceptions; `punch-out`, one
   * object with EXDATEs, and a block of its own for each moved instance; `expanded`, a block for each instance.
   */
  series: SeriesShape;
  push: boolean;
  /** Upper bound of concurrent writers, and under a quota of all concurrent requests, per account. */
  maxConcurrency: number;
  /** At most `count` requests per account in any `windowMs`: 80 % of what the provider allows; absent: no quota. */
  quota?: { count: number; windowMs: number };
  /** Seconds between polls of a quiet calendar when nobody looks. */
  pollSeconds: number;
  /** Time by which a notice may precede the readable change; absent: zero. */
  noticesLeadMs?: number;
  /** A deleted identity can be used again. */
  identityReusable: boolean;
  /** A single event is an instant there: changed rules of its zone move its clock, and not the event. */
  keepsInstants?: boolean;
  /** An event has no colour of its own there: blocks are written without. */
  colorless?: boolean;
  /** Whether guests are mailed about every change of an event, whatever `tellGuests` says. */
  alwaysTellsGuests?: boolean;
  /**
   * An answer to an invitation is a message that is sent: it cannot be taken back to none, and the event is shown as the
   * answer has it.
   */
  answersAreSent?: boolean;
  /** An event that is made under a name has the UID `<name>@` and this; absent: the one that we give it. */
  uidDomain?: string;
  /** The meetings that it makes for an event; absent: none. */
  conference?: Conference;
  /** How many reminders an event can have, where that is fewer than ours; of more the nearest is kept. */
  reminders?: number;
  /** Each pull that reads anything reads everything: what it does not name is gone, every time. */
  listsEachTime?: boolean;
}
