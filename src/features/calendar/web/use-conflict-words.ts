import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** `Conflicts with Lunch, Review and 2 more` for an event; undefined where it meets none. */
export function useConflictWords(
  conflicts: ReadonlyMap<string, readonly string[]>,
  titleOf: (eventId: string) => string | undefined,
): (eventId: string) => string | undefined {
  const { t } = useTranslation();
  return useCallback(
    (eventId) => {
      const partners = conflicts.get(eventId);
      if (partners === undefined) return undefined;
      const names = partners.slice(0, 2).map((id) => titleOf(id) || t('calendar.untitled'));
      return partners.length > 2
        ? t('calendar.conflictsWithMore', { names: names.join(', '), count: partners.length - 2 })
        : t('calendar.conflictsWith', { names: names.join(', ') });
    },
    [conflicts, titleOf, t],
  );
}
