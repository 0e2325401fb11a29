import type { TFunction } from 'i18next';
import type { GridEvent } from './grid-event.ts';

/** The spoken half of an event card, looked up once per grid instead of once per card. */
export interface CardWords {
  untitled: string;
  mirror: string;
  tentative: string;
  declined: string;
  free: string;
  private: string;
  past: string;
  continuesBefore: string;
  continuesAfter: string;
}

export function cardWords(t: TFunction): CardWords {
  return {
    untitled: t('calendar.untitled'),
    mirror: t('calendar.mirrorBlock'),
    tentative: t('calendar.tentative'),
    declined: t('calendar.declined'),
    free: t('calendar.free'),
    private: t('calendar.private'),
    past: t('calendar.past'),
    continuesBefore: t('calendar.continuesBefore'),
    continuesAfter: t('calendar.continuesAfter'),
  };
}

/** What a card shows by shape and colour, in words: `Work, tentative, conflicts with Lunch`. */
export function spokenDetails(
  event: GridEvent,
  words: CardWords,
  flags: { isPast: boolean; conflict: string | undefined; continuesBefore: boolean; continuesAfter: boolean },
): string {
  return [
    event.calendarName,
    event.isMirror && words.mirror,
    event.isPrivate && words.private,
    event.isTentative && words.tentative,
    event.isDeclined && words.declined,
    event.isFree && words.free,
    flags.conflict,
    flags.continuesBefore && words.continuesBefore,
    flags.continuesAfter && words.continuesAfter,
    flags.isPast && words.past,
  ]
    .filter(Boolean)
    .join(', ');
}
