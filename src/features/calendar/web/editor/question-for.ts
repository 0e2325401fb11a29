import type { CalendarRow } from '../grid-event.ts';
import type { Question } from './ask-dialog.tsx';
import type { EditScope, EventDetails } from './edit-shapes.ts';
import type { EventChanges } from './event-draft.ts';

/** Returns the question to ask before an event is changed or deleted. */
export function questionFor(
  kind: 'change' | 'delete',
  details: EventDetails,
  calendars: readonly CalendarRow[],
  { guests = details.attendees.length, changes = {} }: { guests?: number; changes?: EventChanges } = {},
): Question {
  const provider = calendars.find((calendar) => calendar.id === details.calendar_id)?.provider ?? '';
  return {
    kind,
    title: details.title,
    scopes: scopesFor(details, changes),
    // removed guests are notified as well
    guests: Math.max(guests, details.attendees.length),
    provider,
  };
}

/** One instance has no rule of its own. */
function scopesFor({ series }: EventDetails, changes: EventChanges): readonly EditScope[] {
  if (series === null) return ['all'];
  return 'recurrence' in changes ? series.scopes.filter((scope) => scope !== 'this') : series.scopes;
}
