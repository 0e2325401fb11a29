import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useBoard } from '../board.ts';
import styles from './delta.module.css';
import { useFigureText } from './use-figure-text.ts';

/** The difference to the period before. `unit`: percent of it, percentage points, or days. */
export function Delta({
  delta,
  unit,
  isNew = false,
  upIsBad = false,
}: {
  delta: number | null;
  unit: 'percent' | 'points' | 'days';
  /** Whether the previous value was zero and the current one is not. */
  isNew?: boolean;
  upIsBad?: boolean;
}) {
  const { t } = useTranslation();
  const { versus } = useBoard();
  const { signed } = useFigureText();
  if (delta === null)
    return <p className={styles.delta}>{isNew ? t('analytics.delta.new') : t('analytics.delta.none')}</p>;
  if (delta === 0) {
    return (
      <p className={styles.delta}>
        <IconMinus size={14} aria-hidden /> {t('analytics.delta.same', { versus })}
      </p>
    );
  }
  const isUp = delta > 0;
  const Icon = isUp ? IconArrowUpRight : IconArrowDownRight;
  return (
    <p className={styles.delta}>
      <span className={styles.change} data-tone={isUp === upIsBad ? 'bad' : 'ok'}>
        <Icon size={14} aria-hidden />
        <span className="hf-num">{t(`analytics.delta.${unit}`, { delta: signed(delta) })}</span>
      </span>{' '}
      {versus}
    </p>
  );
}
