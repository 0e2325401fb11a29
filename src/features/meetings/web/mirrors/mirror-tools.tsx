import { IconHelpCircle, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { useExplain } from '#ui/explain.ts';
import { Fact } from '../fact.tsx';
import type { MeetingRow } from '../queries.ts';
import { HealthBadge } from './health-badge.tsx';
import styles from './mirror-details.module.css';
import type { Repairs } from './use-repairs.ts';

interface MirrorToolsProps {
  row: MeetingRow;
  repairs: Repairs;
  onAudit: () => void;
}

/** The whole audit log, and a resync where there is anything to repair. */
export function MirrorTools({ row, repairs, onAudit }: MirrorToolsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button variant="default" onClick={onAudit}>
        {t('meetings.details.fullAudit')}
      </Button>
      {row.mirrorHealth.total > 0 ? (
        <ActionButton
          type="button"
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          pending={repairs.pending}
          pendingLabel={t('meetings.repair.pending')}
          onClick={() => repairs.resync(row.event_id)}
        >
          {t('meetings.details.resync')}
        </ActionButton>
      ) : null}
    </>
  );
}

/** Mirror health with the number of target calendars, and why. */
export function MirrorHealth({ row }: Pick<MirrorToolsProps, 'row'>) {
  const { t } = useTranslation();
  const explain = useExplain();
  return (
    <Fact name={t('meetings.column.health')}>
      <span className={styles.status}>
        <HealthBadge health={row.mirrorHealth} />
        <span>{t('meetings.details.targets', { count: row.targets })}</span>
        {row.mirrorHealth.skipped > 0 ? (
          <span>{t('meetings.details.skipped', { count: row.mirrorHealth.skipped })}</span>
        ) : null}
      </span>
      {explain ? (
        <Button
          variant="subtle"
          size="xs"
          leftSection={<IconHelpCircle size={15} aria-hidden />}
          onClick={() => explain({ about: 'mirrors', eventId: row.event_id })}
        >
          {t('meetings.action.explain')}
        </Button>
      ) : null}
    </Fact>
  );
}
