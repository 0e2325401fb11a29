import type { TFunction } from 'i18next';
import type { GridEvent } from './grid-event.ts';

/** The spoken half of an event card, looked up once per grid instead of once per card. */
export interface CardWords {
  untitled: string;
  mirror: string;
  mirrorOf: (title: string) => string;
  /** `Blocked in Work and Home` */
  blockedIn: (calendars: readonly string[]) => string;
  copies: (copies: NonNullable<GridEvent['copies']>) => string;
  tentative: string;
  unanswered: string;
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
    mirrorOf: (title) => t('calendar.mirrorOfShort', { title }),
    blockedIn: (calendars) => t('calendar.blockedIn', { calendars: calendars.join(', ') }),
    copies: ({ created, pending, failed }) =>
      [
        t('calendar.mirroredTo', { count: created + pending + failed }),
        pending > 0 && t('calendar.copiesPending', { count: pending }),
        failed > 0 && t('calendar.copiesFailed', { count: failed }),
      ]
        .filter(Boolean)
        .join(', '),
    tentative: t('calendar.tentative'),
    unanswered: t('calendar.unanswered'),
    declined: t('calendar.declined'),
    free: t('calendar.free'),
    private: t('calendar.private'),
    past: t('calendar.past'),
    continuesBefore: t('calendar.continuesBefore'),
    continuesAfter: t('calendar.continuesAfter'),
  };
}

/** Why an event is marked, in words. */
export interface MarkWords {
  kind: 'overlap' | 'conflict';
  words: string;
}

/** `Conflicts with Lunch, Standup and 2 more` */
export function conflictWords(t: TFunction, titles: readonly (string | undefined)[]): string {
  const names = titles
    .slice(0, 2)
    .map((title) => title || t('calendar.untitled'))
    .join(', ');
  return patternFor(t, Math.max(0, titles.length - 2)).replace(hole, () => names);
}

const hole = '\u0000';
const patterns = new WeakMap<TFunction, Map<number, string>>();

/** Looked up once for each number: a full week conflicts everywhere. */
function patternFor(t: TFunction, others: number): string {
  const known = patterns.get(t) ?? new Map<number, string>();
  patterns.set(t, known);
  const pattern =
    known.get(others) ??
    (others === 0
      ? t('calendar.conflictsWith', { names: hole })
      : t('calendar.conflictsWithMore', { names: hole, count: others }));
  known.set(others, pattern);
  return pattern;
}

/** The heading of a card: the title of an event, or of the origin of a block. */
export function shownTitle(event: GridEvent, words: CardWords): string {
  if (event.mirrorOf !== undefined) return words.mirrorOf(event.mirrorOf === '' ? words.untitled : event.mirrorOf);
  return event.title === '' ? words.untitled : event.title;
}

/** The same without the words that the looks of a block say. */
export function seenTitle(event: GridEvent, words: CardWords): string {
  return event.mirrorOf || event.title || words.untitled;
}

/** The shape and color of a card in words: `Work, tentative, conflicts with Lunch`. */
export function spokenDetails(
  event: GridEvent,
  words: CardWords,
  flags: { isPast: boolean; conflict: MarkWords | undefined; continuesBefore: boolean; continuesAfter: boolean },
): string {
  return [
    event.calendarName,
    event.isMirror && event.mirrorOf === undefined && words.mirror,
    event.copies && words.copies(event.copies),
    event.isPrivate && !event.isMirror && words.private,
    event.isTentative && words.tentative,
    event.isUnanswered && words.unanswered,
    event.isDeclined && words.declined,
    event.isFree && words.free,
    flags.conflict?.words,
    flags.continuesBefore && words.continuesBefore,
    flags.continuesAfter && words.continuesAfter,
    flags.isPast && words.past,
  ]
    .filter(Boolean)
    .join(', ');
}

const guestsInView = 3;

/** Place and guests of an event: `Nina Roth, Tom Berg, Li Chen +2`. */
export function cardFacts({ location, attendees }: GridEvent): string[] {
  const more = attendees.length - guestsInView;
  return [location, `${attendees.slice(0, guestsInView).join(', ')}${more > 0 ? ` +${more}` : ''}`].filter(Boolean);
}
