import type { Recurrence } from './recurrence-pattern.ts';

/**
 * The mailboxes as data. Nothing here reads a clock or a socket: time comes in with each request. Events are immutable
 * and replaced as a whole, so that the log of a calendar keeps every version it has had.
 */

export interface EmailAddress {
  name: string;
  address: string;
}

export const responseTypes = [
  'none',
  'organizer',
  'tentativelyAccepted',
  'accepted',
  'declined',
  'notResponded',
] as const;
export type ResponseType = (typeof responseTypes)[number];

export interface Attendee {
  type: 'required' | 'optional' | 'resource';
  status: { response: ResponseType; time: string };
  emailAddress: EmailAddress;
}

export const showAsValues = ['free', 'tentative', 'busy', 'oof', 'workingElsewhere', 'unknown'] as const;
export const sensitivities = ['normal', 'personal', 'private', 'confidential'] as const;
export const importances = ['low', 'normal', 'high'] as const;

/** Properties that an exception may override; the others come from its series. */
export interface EventContent {
  subject: string;
  body: { contentType: 'text' | 'html'; content: string };
  /** Wall clock in `startZone`; of an all-day event the midnight of its first day. */
  startLocalMs: number;
  startZone: string;
  /** Exclusive for an all-day event. */
  endLocalMs: number;
  endZone: string;
  isAllDay: boolean;
  showAs: (typeof showAsValues)[number];
  sensitivity: (typeof sensitivities)[number];
  importance: (typeof importances)[number];
  isReminderOn: boolean;
  reminderMinutesBeforeStart: number;
  responseRequested: boolean;
  allowNewTimeProposals: boolean;
  hideAttendees: boolean;
  categories: string[];
  location: string;
  attendees: Attendee[];
  organizer: EmailAddress;
  /** The answer of the mailbox's owner. */
  response: ResponseType;
  respondedAtMs: number | null;
  isCancelled: boolean;
  isDraft: boolean;
  joinUrl: string | null;
}

export interface CalendarEvent {
  readonly key: string;
  /** Counts moves between calendars: the regular id changes with each. */
  readonly place: number;
  readonly content: EventContent;
  readonly recurrence: Recurrence | null;
  /** By the day number of the original start. */
  readonly exceptions: ReadonlyMap<number, Partial<EventContent>>;
  readonly cancelledDays: ReadonlySet<number>;
  readonly transactionId: string | null;
  readonly extended: ReadonlyMap<string, string>;
  readonly version: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export type Change = 'created' | 'updated' | 'deleted';

export interface LogEntry {
  key: string;
  atMs: number;
  change: Change;
  event: CalendarEvent | null;
  /** The previous event at this place. */
  was: CalendarEvent | null;
  /** Where the same event was changed next. */
  next: number | null;
}

export interface Calendar {
  key: string;
  name: string;
  color: string;
  hexColor: string;
  isDefault: boolean;
  canEdit: boolean;
  canViewPrivateItems: boolean;
  owner: EmailAddress;
  group: string;
  events: Map<string, CalendarEvent>;
  log: LogEntry[];
  lastChange: Map<string, number>;
  /** Tokens of an older epoch are no longer accepted. */
  tokenEpoch: number;
}

export interface Mailbox {
  address: string;
  name: string;
  userId: string;
  tenantId: string;
  /** A Microsoft account instead of a work or school one. */
  personal: boolean;
  /** The address that its tenant wrote into its profile, where that is another one: anybody's. */
  mail?: string | undefined;
  /** Whether the application asked for `xms_edov`, and what it says: the domain of the address is the tenant's. */
  domainVerified?: boolean | undefined;
  /** Windows name of the mailbox's zone: what Outlook shows, not what Graph answers. */
  timeZone: string;
  calendars: Map<string, Calendar>;
  groups: Map<string, string>;
  /** Every transactionId ever used here, over all calendars; a deleted event does not free it. */
  transactions: Map<string, string>;
  /** Responses that organizers were sent, the oldest first. */
  responses: { to: string; action: string; comment: string | null }[];
  /** Grants given so far, by client: consent is asked for once. */
  consents: Map<string, Set<string>>;
}

export interface Subscription {
  id: string;
  mailbox: string;
  clientId: string;
  /** As the client wrote it. */
  resource: string;
  calendarKey: string;
  changeType: string;
  notificationUrl: string;
  lifecycleNotificationUrl: string | null;
  clientState: string | null;
  expiresAtMs: number;
  immutableIds: boolean;
  /** Notifications stop while a reauthorisation is asked for and not given. */
  reauthorizeAtMs: number | null;
}

/** How the service behaves where its documentation leaves a choice, or where accounts differ. */
export interface Knobs {
  /** Answer to a second POST with a used transactionId (M12). */
  duplicateTransaction: 'bad-request' | 'conflict' | 'replay';
  /** Whether delta tells the master of a series: reports differ. */
  seriesMaster: 'present' | 'absent' | 'absent-before-window';
  /** Exceptions in delta come with their times only. */
  sparseExceptions: boolean;
  /** A deleted series is told by its master alone, or by its occurrences too. */
  removedSeries: 'master' | 'master-and-occurrences';
  /** Rows of events outside the window in a first round too. */
  removedInFirstRound: boolean;
  /** Time for which a change stays invisible in delta after its notification (M10). */
  lagMs: number;
  /** How a token that is no longer known is refused (M7). */
  reset: 'gone' | 'syncStateNotFound' | 'syncStateInvalid' | 'resyncRequired';
  /** Whether the refresh token that was used stays valid (M3). */
  oldRefreshToken: 'stays-valid' | 'revoked';
  /** How granted scopes are written in the answer of the token endpoint. */
  scopeForm: 'short' | 'url';
  accessTokenMinutes: number;
  /** Requests of one mailbox that may be under way at once. */
  concurrency: number;
  /** Requests of one mailbox in ten minutes. */
  requestsPer10Minutes: number;
  /** Consent without asking a person. */
  autoConsent: boolean;
  /** A declined invitation is moved to the folder of deleted items, as Outlook does it unless its user keeps them. */
  declinedEvents: 'kept' | 'deleted';
  /** Several changes for one address go in one notification while it waits. */
  batchNotifications: boolean;
}

export const defaultKnobs: Knobs = {
  duplicateTransaction: 'bad-request',
  seriesMaster: 'absent-before-window',
  sparseExceptions: false,
  removedSeries: 'master',
  removedInFirstRound: false,
  lagMs: 0,
  reset: 'gone',
  oldRefreshToken: 'stays-valid',
  scopeForm: 'short',
  accessTokenMinutes: 75,
  concurrency: 4,
  requestsPer10Minutes: 10_000,
  autoConsent: false,
  declinedEvents: 'kept',
  batchNotifications: true,
};

export interface Changed {
  mailbox: Mailbox;
  calendar: Calendar;
  entry: LogEntry;
}

/** An application as it is registered. Without any, every client may come, with redirects to this machine. */
export interface App {
  clientId: string;
  secret: string | null;
  redirectUris: string[];
}

export interface Grant {
  mailbox: string;
  clientId: string;
  scopes: string[];
  expiresAtMs: number;
}

export interface Code extends Grant {
  redirectUri: string;
  challenge: string | null;
  nonce: string | null;
  redeemed: boolean;
}

export interface RefreshToken extends Grant {
  revoked: boolean;
}

/** The data of Entra. */
export interface Directory {
  apps: Map<string, App>;
  codes: Map<string, Code>;
  accessTokens: Map<string, Grant>;
  refreshTokens: Map<string, RefreshToken>;
}

export interface World {
  knobs: Knobs;
  mailboxes: Map<string, Mailbox>;
  subscriptions: Map<string, Subscription>;
  directory: Directory;
  /** Times of the requests of the last ten minutes, by client and mailbox. */
  recent: Map<string, number[]>;
  /** How quickly the receivers of notifications have answered, by host. */
  endpoints: Map<string, { atMs: number; tookMs: number | null }[]>;
  counter: number;
  versions: number;
  /** Changes that have no notification yet. */
  unannounced: Changed[];
}

export function createWorld(): World {
  return {
    knobs: { ...defaultKnobs },
    mailboxes: new Map(),
    subscriptions: new Map(),
    directory: { apps: new Map(), codes: new Map(), accessTokens: new Map(), refreshTokens: new Map() },
    recent: new Map(),
    endpoints: new Map(),
    counter: 0,
    versions: 0,
    unannounced: [],
  };
}

export function nextKey(world: World, prefix: string): string {
  world.counter += 1;
  return `${prefix}${world.counter}`;
}

/** Stores a version of an event and writes it to the log. */
export function putEvent(
  world: World,
  mailbox: Mailbox,
  calendar: Calendar,
  event: Omit<CalendarEvent, 'version' | 'modifiedAtMs'>,
  nowMs: number,
): CalendarEvent {
  world.versions += 1;
  const stored = { ...event, version: world.versions, modifiedAtMs: nowMs };
  const was = calendar.events.get(event.key) ?? null;
  const change = was ? 'updated' : 'created';
  calendar.events.set(event.key, stored);
  logChange(world, mailbox, calendar, { key: event.key, atMs: nowMs, change, event: stored, was, next: null });
  return stored;
}

export function removeEvent(world: World, mailbox: Mailbox, calendar: Calendar, key: string, nowMs: number): void {
  const was = calendar.events.get(key);
  if (!was) return;
  calendar.events.delete(key);
  logChange(world, mailbox, calendar, { key, atMs: nowMs, change: 'deleted', event: null, was, next: null });
}

function logChange(world: World, mailbox: Mailbox, calendar: Calendar, entry: LogEntry): void {
  const previous = calendar.lastChange.get(entry.key);
  if (previous !== undefined) calendar.log[previous]!.next = calendar.log.length;
  calendar.lastChange.set(entry.key, calendar.log.length);
  calendar.log.push(entry);
  world.unannounced.push({ mailbox, calendar, entry });
}
