import type { EventBody, Item } from '#kernel/event.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';

/**
 * What Holdfast needs of a calendar provider. An adapter translates; it never retries, never sleeps, never decides.
 * Every failure is a ProviderError. Every call honours `signal`.
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
}

export interface PullRequest {
  calendarRef: string;
  /** Opaque, from the last pull; null asks for everything. */
  cursor: string | null;
  /** A complete listing is wanted even where the cursor is good (the daily scrub). */
  full: boolean;
  /** Versions we hold for these refs; what is unchanged is not fetched again. */
  known(refs: string[]): Promise<Map<string, string>>;
  signal: AbortSignal;
}

export interface PullPage {
  items: Item[];
  /** Refs the provider says are gone (positive evidence only). */
  gone: string[];
}

export interface PullEnd {
  cursor: string | null;
  /** Every ref of the calendar, when this pull was a complete, successful listing; else null. */
  listed: Set<string> | null;
  /** Requests sent, for metrics and benches. */
  requests: number;
}

/** What a mirror shall look like: a Single or a Series whose Core carries only what the rule allows. */
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

export interface CalendarProvider {
  listCalendars(signal: AbortSignal): Promise<RemoteCalendar[]>;

  /** Changes since the cursor, page by page; the returned PullEnd is valid only after the last page. */
  pull(request: PullRequest): AsyncGenerator<PullPage, PullEnd>;

  /** Creates the object under its identity. `precondition` when an object with that identity stands already. */
  createMirror(calendarRef: string, identity: MirrorIdentity, body: MirrorBody, signal: AbortSignal): Promise<Written>;

  /** Replaces the object if it is still at `version`; `precondition` if not, `not-found` if it is gone. */
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

  /** Frees sockets; the value is not used afterwards. */
  close(): Promise<void>;
}

/** What an adapter can do, as data, for planner, limiter and screens. */
export interface ProviderCapabilities {
  /** A whole series stands as one object, exceptions included. */
  nativeSeries: boolean;
  push: boolean;
  /** Upper bound of concurrent requests per account. */
  maxConcurrency: number;
  /** Seconds between polls of a quiet calendar when nobody looks. */
  pollSeconds: number;
  /** A deleted identity can be used again. */
  identityReusable: boolean;
}
