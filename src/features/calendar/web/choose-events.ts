import type { EventFilter } from './calendar-search.ts';
import type { GridEvent } from './grid-event.ts';

export interface EventChoice {
  /** Every word must be in the title or the attendees, whatever its case and accents. */
  q: string;
  filter: EventFilter;
  hidesMirrors: boolean;
}

/** Returns the events to draw. A filter leaves our blocks out, because their origins are shown. */
export function chooseEvents(events: readonly GridEvent[], choice: EventChoice): readonly GridEvent[] {
  const { filter } = choice;
  const words = fold(choice.q).split(/\s+/).filter(Boolean);
  if (words.length === 0 && filter === 'all' && !choice.hidesMirrors) return events;
  return events.filter((event) => {
    if (event.isMirror && (choice.hidesMirrors || filter !== 'all')) return false;
    if (filter !== 'all' && event.audience !== (filter === 'clients' ? 'client' : 'personal')) return false;
    if (words.length === 0) return true;
    const text = fold(`${event.title} ${event.mirrorOf ?? ''} ${event.attendees.join(' ')}`);
    return words.every((word) => text.includes(word));
  });
}

function fold(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}
