import {
  IconCalendarEvent,
  IconCheck,
  IconCircleMinus,
  IconHourglassLow,
  type IconProps,
  IconRefresh,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './day-chip.module.css';

/** How a day stands. Conflict beats priority-hold. */
export const chips = ['disabled', 'checking', 'conflict', 'priority-hold', 'free'] as const;
export type Chip = (typeof chips)[number];

const icons: Record<Chip | 'unknown', ComponentType<IconProps>> = {
  disabled: IconCircleMinus,
  checking: IconRefresh,
  // an ordinary day with a meeting: nothing is wrong
  conflict: IconCalendarEvent,
  'priority-hold': IconHourglassLow,
  free: IconCheck,
  unknown: IconCircleMinus,
};

/** `unknown`: it could not be asked. */
export function DayChip({ chip, detail }: { chip: Chip | 'unknown'; detail?: string | undefined }) {
  const { t } = useTranslation();
  const Icon = icons[chip];
  const words = {
    disabled: t('availability.chip.disabled'),
    checking: t('availability.chip.checking'),
    conflict: t('availability.chip.conflict'),
    'priority-hold': t('availability.chip.priorityHold'),
    free: t('availability.chip.free'),
    unknown: t('availability.chip.unknown'),
  };
  return (
    <span className={styles.chip} data-chip={chip} title={detail}>
      <Icon size={13} stroke={2.2} aria-hidden />
      {words[chip]}
    </span>
  );
}
