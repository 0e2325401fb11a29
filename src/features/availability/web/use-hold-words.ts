import { useTranslation } from 'react-i18next';
import type { HoldKind, Rank } from '#features/availability/rules/hold-rules.ts';

/** The texts for hold rules and ranks. */
export function useHoldWords(): { kinds: Record<HoldKind, string>; ranks: Record<Rank, string> } {
  const { t } = useTranslation();
  return {
    kinds: {
      calendar: t('availability.holds.kind.calendar'),
      'title-prefix': t('availability.holds.kind.titlePrefix'),
      color: t('availability.holds.kind.color'),
      category: t('availability.holds.kind.category'),
      tentative: t('availability.holds.kind.tentative'),
      focus: t('availability.holds.kind.focus'),
    },
    ranks: {
      1: t('availability.holds.rank.critical'),
      2: t('availability.holds.rank.high'),
      3: t('availability.holds.rank.normal'),
      4: t('availability.holds.rank.low'),
    },
  };
}
