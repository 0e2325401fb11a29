/**
 * The canonical event: every provider's object is converted to it, and every write starts from it.
 *
 * Plain JSON throughout, so that one value serves the database, the hash, the wire and the planner. Future times are
 * local time plus IANA zone; instants appear only once a series is expanded. Source: RFC 5545, RFC 7986.
 */

/** `2027-03-08` */
export type LocalDate = string;
/** `2027-03-08T09:00:00`, always with seconds, never with an offset */
export type LocalDateTime = string;

/**
 * Names one instance of a series by its *original* start, in the form of the master:
 * `20270308` (all-day), `20270308T080000Z` (zoned, as UTC), `20270308T090000` (floating).
 */
export type RecId = string;

/**
 * Exact elapsed time (DTEND, `DURATION:PT6H`), or days of the wall clock and then exact time (`DURATION:P1DT6H`). A day
 * across a change of the clocks has 23 or 25 hours. `wallSeconds`: from start to end on the wall clock, for floating times
 * with a DTEND. The zone in which they are read gives the elapsed time, and a series keeps that of its first instance.
 */
export type Duration =
  | { seconds: number; days?: never; wallSeconds?: never }
  | { days: number; seconds?: number; wallSeconds?: never }
  | { wallSeconds: number; days?: never; seconds?: never };

export type When =
  | { kind: 'all-day'; start: LocalDate; end: LocalDate /* exclusive */ }
  | { kind: 'zoned'; start: LocalDateTime; zone: string /* IANA, or UTC */; duration: Duration }
  | { kind: 'floating'; start: LocalDateTime; duration: Duration }; // resolved in the calendar's zone at use

/** `unknown` blocks like busy: closed when in doubt. */
export type BusyStatus = 'busy' | 'tentative' | 'oof' | 'elsewhere' | 'free' | 'unknown';
export type SelfResponse = 'none' | 'organizer' | 'accepted' | 'tentative' | 'needs-action' | 'declined';
export type EventKind = 'default' | 'focus' | 'out-of-office' | 'working-location' | 'birthday' | 'from-mail';

export interface Attendee {
  email: string;
  name?: string;
  response?: 'accepted' | 'declined' | 'tentative' | 'needs-action';
}

/** Everything about one instance but its time. Texts are cut at the limits of `eventLimits`. */
export interface Core {
  busy: BusyStatus;
  private: boolean;
  self: SelfResponse;
  kind: EventKind;
  title?: string;
  location?: string;
  notes?: string;
  joinUrl?: string;
  /** People other than the owner of the calendar, at most `eventLimits.attendees`. */
  attendees?: Attendee[];
  categories?: string[];
  /** `#rrggbb` */
  color?: string;
  /**
   * Minutes before the start, ascending, at most `eventLimits.reminders`; empty: none; absent: as the calendar has it.
   * No part of `contentHash`: a mirror has none.
   */
  reminders?: number[];
}

export interface Single {
  kind: 'single';
  when: When;
  core: Core;
}

/** An extra date of a series; `duration` only where RDATE;VALUE=PERIOD gave one. In the kind and zone of the master. */
export interface ExtraDate {
  start: LocalDate | LocalDateTime;
  duration?: Duration;
}

/**
 * A recurring event. DTSTART (`when.start`) is always its first occurrence unless excluded. `exdates` and the keys of
 * `overrides` never meet: a cancelled override is an exdate. Rules are RRULE values without the property name,
 * UNTIL in UTC for zoned series.
 */
export interface Series {
  kind: 'series';
  when: When;
  core: Core;
  rules: string[];
  exRules: string[];
  extraDates: ExtraDate[];
  exdates: RecId[];
  overrides: Record<RecId, { when: When; core: Core }>;
}

/**
 * A series with changes of "this and all following". The series names, excludes and overrides its instances as ever. An
 * instance that no override replaces takes the time, length and properties of the last change at or before it.
 * Source: RFC 5545 3.2.13.
 */
export interface SplitSeries {
  kind: 'split';
  series: Series;
  /** Ascending by `from`, at most `eventLimits.followingChanges`; none where parts of the series are unknown. */
  changes: FollowingChange[];
}

/** All instances from the one named `from`, up to the next change, move by as much as that one did. */
export interface FollowingChange {
  from: RecId;
  /** The instance named `from` as it is now; null where it and all following are cancelled. */
  to: { when: When; core: Core } | null;
}

/** Instances without a usable rule (a provider that only expands). `from`/`to` bound what the list covers, epoch ms. */
export interface Instances {
  kind: 'instances';
  of: string;
  from: number;
  to: number;
  list: Record<RecId, { when: When; core: Core }>;
}

/** An event without a readable time: shown as a warning, never mirrored, never a reason to delete anything. */
export interface Withheld {
  kind: 'withheld';
  reason: string;
}

export type EventBody = Single | Series | SplitSeries | Instances | Withheld;

/** The event or series that a body is about, before changes of "this and all following"; null where it has none. */
export function masterOf(body: EventBody): Single | Series | null {
  if (body.kind === 'split') return body.series;
  return body.kind === 'single' || body.kind === 'series' ? body : null;
}

/** Whether it repeats by a rule. */
export function isSeries(body: EventBody): boolean {
  return body.kind === 'series' || body.kind === 'split';
}

/**
 * The author of an item. `own`: our mirror, by a valid tag or by the ledger. `foreign`: every other, including those
 * with invalid tags.
 */
export type Provenance = 'foreign' | 'own';

/** One object of a calendar: a single event, or a series with its overrides. */
export interface Item {
  /** The provider's name of it: CalDAV href (percent-decoded path), Google or Graph event id. */
  ref: string;
  uid?: string;
  /** ETag or changeKey; equal version = unchanged. */
  version: string;
  sequence?: number;
  provenance: Provenance;
  body: EventBody;
  /** Warnings about lines that were mended or left out while reading. */
  warnings?: string[];
  /** The body as canonical JSON with its content hash, where the adapter has computed them. */
  stored?: { bodyText: string; hash: string };
  /** The title of a withheld event, for the list of warnings. */
  known?: KnownPart;
}

export interface KnownPart {
  title?: string;
}

export const eventLimits = {
  titleChars: 1_000,
  locationChars: 1_000,
  notesChars: 32_000,
  attendees: 200,
  reminders: 5,
  /** Rules and rules of exception together. */
  rules: 20,
  exdates: 5_000,
  overrides: 1_000,
  extraDates: 5_000,
  /** Changes of "this and all following" in one series. */
  followingChanges: 100,
  /** Instances of one series in one window, beyond which it is "too dense". */
  instances: 5_000,
  /** Candidate steps of one expansion call. */
  steps: 50_000,
} as const;
