import type { EventDetails } from './edit-shapes.ts';

export const comparedFields = [
  'title',
  'when',
  'calendar_id',
  'recurrence',
  'attendees',
  'location',
  'meeting_link',
  'description',
  'busy',
  'private',
  'reminders',
] as const;
export type ComparedField = (typeof comparedFields)[number];

/** Returns the fields that differ between two versions of an event, in the order of the form. */
export function differingFields(mine: EventDetails, theirs: EventDetails): ComparedField[] {
  return comparedFields.filter((field) => partOf(mine, field) !== partOf(theirs, field));
}

function partOf(details: EventDetails, field: ComparedField): string {
  // Answers are the guests' own, names are decoration: neither is edited here.
  if (field === 'attendees')
    return details.attendees
      .map(({ email }) => email.toLowerCase())
      .sort()
      .join();
  return JSON.stringify(details[field]);
}
