import type { Output } from '#kernel/contract.ts';
import type { contactsContract } from './contract.ts';
import type { Contact, PersonAddress } from './store/contact-rows.ts';
import type { MeetingRow } from './store/meeting-rows.ts';

type Shown = Output<typeof contactsContract.listContacts>['contacts'][number];
type ShownMeeting = Output<typeof contactsContract.listContactMeetings>['meetings'][number];

export const isoOfMs = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toString();

export function toShownContact(one: Contact, addresses: readonly PersonAddress[]): Shown {
  return {
    id: one.id,
    addresses: addresses.map(({ id, address }) => ({ id, address })),
    name: one.name,
    phone: one.phone,
    company: one.company,
    tags: one.tags,
    source: one.source,
    total_bookings: one.bookings,
    total_meetings: one.met,
    last_meeting: one.lastMs === null ? null : isoOfMs(one.lastMs),
    next_meeting: one.nextMs === null ? null : isoOfMs(one.nextMs),
  };
}

export function toShownMeeting({ title, startMs, endMs, itemId, recId }: MeetingRow): ShownMeeting {
  return {
    title,
    start_time: isoOfMs(startMs),
    end_time: isoOfMs(endMs),
    event_id: itemId === null ? null : recId === '' ? itemId : `${itemId}_${recId}`,
  };
}
