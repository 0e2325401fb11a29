import type { EventTime } from './event-time.ts';
import { type Calendar, nextEtag, type World } from './world.ts';

/** The start that an exception had in its series: names it for ever. */
export type OriginalStart = { allDay: true; day: string } | { allDay: false; ms: number };

export interface StoredEvent {
  id: string;
  iCalUID: string;
  status: 'confirmed' | 'tentative' | 'cancelled';
  time: EventTime;
  /** RRULE, EXRULE, RDATE, EXDATE lines of a master; empty otherwise. */
  recurrence: string[];
  /** The master of an exception. */
  recurringEventId: string | null;
  original: OriginalStart | null;
  /** Everything a client may write and the emulator only keeps: summary, attendees, extendedProperties and so on. */
  fields: EventFields;
  organizer: string;
  creator: string;
  sequence: number;
  createdMs: number;
  /** Does not move when only reminders change. */
  updatedMs: number;
  etag: string;
  /** Position in the calendar's log at which it last changed. */
  revision: number;
  /** Lists come in no useful order: this one. */
  order: number;
}

export interface Attendee {
  email: string;
  displayName?: string;
  responseStatus?: 'needsAction' | 'declined' | 'tentative' | 'accepted';
  comment?: string;
  additionalGuests?: number;
  optional?: boolean;
  resource?: boolean;
}

export interface EventFields {
  summary?: string;
  description?: string;
  location?: string;
  transparency?: string;
  visibility?: string;
  eventType?: string;
  colorId?: string;
  attendees?: Attendee[];
  reminders?: unknown;
  extendedProperties?: { private?: Record<string, string>; shared?: Record<string, string> };
  [name: string]: unknown;
}

/** Puts the event into its calendar as changed just now: new etag, new place in the log. */
export function storeEvent(world: World, calendar: Calendar, event: StoredEvent): StoredEvent {
  const stored = { ...event, etag: nextEtag(world), revision: calendar.log.push(event.id), order: orderOf(event.id) };
  calendar.events.set(event.id, stored);
  return stored;
}

/** FNV-1a. Exceptions come before their master as often as after it. */
function orderOf(id: string): number {
  let sum = 2_166_136_261;
  for (let i = 0; i < id.length; i += 1) sum = Math.imul(sum ^ id.charCodeAt(i), 16_777_619);
  return sum >>> 0;
}

export function exceptionsOf(calendar: Calendar, masterId: string): StoredEvent[] {
  return [...calendar.events.values()].filter((event) => event.recurringEventId === masterId);
}
