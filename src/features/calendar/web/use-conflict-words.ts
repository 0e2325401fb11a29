import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { conflictWords, type MarkWords } from './card-words.ts';
import type { EventMark } from './find-conflicts.ts';

/** The mark of an event in words: `Overlaps Plumber`, `Conflicts with Lunch`; undefined where it has none. */
export function useConflictWords(
  conflicts: ReadonlyMap<string, EventMark>,
  titleOf: (eventId: string) => string | undefined,
): (eventId: string) => MarkWords | undefined {
  const { t } = useTranslation();
  return useMemo(() => {
    // One object for each event, so that an unchanged card is not drawn again.
    const known = new Map<string, MarkWords>();
    return (eventId) => {
      const mark = conflicts.get(eventId);
      if (mark === undefined) return undefined;
      const found = known.get(eventId);
      if (found !== undefined) return found;
      const names = mark.partners.map(titleOf);
      const words =
        mark.kind === 'conflict'
          ? conflictWords(t, names)
          : t('calendar.overlaps', {
              names: names
                .slice(0, 2)
                .map((name) => name || t('calendar.untitled'))
                .join(', '),
              count: Math.max(0, names.length - 2),
            });
      const made = { kind: mark.kind, words };
      known.set(eventId, made);
      return made;
    };
  }, [conflicts, titleOf, t]);
}
