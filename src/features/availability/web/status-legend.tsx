import { useTranslation } from 'react-i18next';
import { Panel } from '#ui/page.tsx';
import { DayChip } from './day-chip.tsx';
import styles from './status-legend.module.css';

/** The legend of the chips. */
export function StatusLegend() {
  const { t } = useTranslation();
  return (
    <Panel title={t('availability.legend.title')}>
      <dl className={styles.legend}>
        <dt>
          <DayChip chip="free" />
        </dt>
        <dd>{t('availability.legend.free')}</dd>
        <dt>
          <DayChip chip="priority-hold" />
        </dt>
        <dd>{t('availability.legend.priorityHold')}</dd>
        <dt>
          <DayChip chip="conflict" />
        </dt>
        <dd>{t('availability.legend.conflict')}</dd>
        <dt>
          <DayChip chip="disabled" />
        </dt>
        <dd>{t('availability.legend.disabled')}</dd>
      </dl>
    </Panel>
  );
}
