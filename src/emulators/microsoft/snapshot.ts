import { printLocalDateTime } from '#kernel/time/local.ts';
import { calendarId, eventId } from './item-ids.ts';
import { printDay, type Recurrence } from './recurrence-pattern.ts';
import type { CalendarEvent, EventContent, Mailbox, World } from './world.ts';

/** Everything there is, for assertions: what stands at "Microsoft" after all. */
export interface Snapshot {
  accounts: Record<string, { calendars: Record<string, SnapshotCalendar> }>;
  subscriptions: { id: string; account: string; resource: string; notificationUrl: string; expiresAtMs: number }[];
}

export interface SnapshotCalendar {
  id: string;
  name: string;
  canEdit: boolean;
  events: SnapshotEvent[];
}

export interface SnapshotEvent {
  key: string;
  /** The immutable form. */
  id: string;
  subject: string;
  /** Wall clock in `zone`; all-day events have dates. */
  start: string;
  end: string;
  zone: string;
  isAllDay: boolean;
  showAs: string;
  sensitivity: string;
  response: string;
  recurrence: Recurrence | null;
  /** By the date of the original start. */
  exceptions: Record<string, Partial<EventContent>>;
  cancelled: string[];
  transactionId: string | null;
  extended: Record<string, string>;
  version: number;
}

export function snapshotOf(world: World): Snapshot {
  const accounts: Snapshot['accounts'] = {};
  for (const mailbox of world.mailboxes.values()) {
    const calendars: Record<string, SnapshotCalendar> = {};
    for (const calendar of mailbox.calendars.values()) {
      const events = [...calendar.events.values()].map((event) => eventOf(mailbox, event));
      calendars[calendar.key] = {
        id: calendarId(mailbox, calendar),
        name: calendar.name,
        canEdit: calendar.canEdit,
        events,
      };
    }
    accounts[mailbox.address] = { calendars };
  }
  const subscriptions = [...world.subscriptions.values()].map(
    ({ id, mailbox, resource, notificationUrl, expiresAtMs }) => ({
      id,
      account: mailbox,
      resource,
      notificationUrl,
      expiresAtMs,
    }),
  );
  return { accounts, subscriptions };
}

function eventOf(mailbox: Mailbox, event: CalendarEvent): SnapshotEvent {
  const { content } = event;
  const time = (ms: number) => (content.isAllDay ? printLocalDateTime(ms).slice(0, 10) : printLocalDateTime(ms));
  return {
    key: event.key,
    id: eventId(mailbox, event, null, true),
    subject: content.subject,
    start: time(content.startLocalMs),
    end: time(content.endLocalMs),
    zone: content.startZone,
    isAllDay: content.isAllDay,
    showAs: content.showAs,
    sensitivity: content.sensitivity,
    response: content.response,
    recurrence: event.recurrence,
    exceptions: Object.fromEntries([...event.exceptions].map(([day, changes]) => [printDay(day), changes])),
    cancelled: [...event.cancelledDays].map(printDay),
    transactionId: event.transactionId,
    extended: Object.fromEntries(event.extended),
    version: event.version,
  };
}
