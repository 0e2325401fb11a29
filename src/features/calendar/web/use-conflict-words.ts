import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { conflictWords } from './card-words.ts';

/** `Conflicts with Lunch, Review and 2 more` for an event; undefined where it meets none. */
export function useConflictWords(
  conflicts: ReadonlyMap<string, readonly string[]>,
  titleOf: (eventId: string) => string | undefined,
): (eventId: string) => string | undefined {
  const { t } = useTranslation();
  return useCallback(
    (eventId) => {
      const partners = conflicts.get(eventId);
      return partners && conflictWords(t, partners.map(titleOf));
    },
    [conflicts, titleOf, t],
  );
}
