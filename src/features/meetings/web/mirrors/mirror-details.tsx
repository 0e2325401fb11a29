import { IconHelpCircle, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useExplain } from '#ui/explain.ts';
import { DetailsSheet } from '../details/details-sheet.tsx';
import { Fact } from '../fact.tsx';
import { OriginLink } from '../origin-link.tsx';
import { canRetry, type MirrorRow } from '../queries.ts';
import { AuditOf } from './audit-dialog.tsx';
import styles from './mirror-details.module.css';
import { MirrorPlace } from './mirror-place.tsx';
import { MirrorStatus } from './mirror-status.tsx';
import { MirrorStory } from './mirror-story.tsx';
import { MirrorWhen } from './mirror-when.tsx';
import type { Repairs } from './use-repairs.ts';

export interface MirrorDetailsProps {
  row: MirrorRow;
  repairs: Repairs;
  onAudit: () => void;
  onClose: () => void;
}

export function MirrorDetails({ row, repairs, onAudit, onClose }: MirrorDetailsProps) {
  const { t } = useTranslation();
  const explain = useExplain();
  return (
    <DetailsSheet
      onClose={onClose}
      title={t('meetings.details.title')}
      actions={
        <>
          <Button variant="default" onClick={onAudit}>
            {t('meetings.details.fullAudit')}
          </Button>
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
          {canRetry(row) ? (
            <ActionButton
              type="button"
              pending={repairs.pending}
              pendingLabel={t('meetings.repair.pending')}
              onClick={() => repairs.retry(row.id)}
            >
              {t('meetings.details.retry')}
            </ActionButton>
          ) : null}
        </>
      }
    >
      <p className={styles.title}>{row.title}</p>
      <dl className={styles.facts}>
        <Fact name={t('meetings.column.when')}>
          <MirrorWhen row={row} />
        </Fact>
        <Fact name={t('meetings.details.shownAs')}>{row.shown_as}</Fact>
        <Fact name={t('meetings.details.origin')}>
          <MirrorPlace place={row.origin} />
        </Fact>
        <Fact name={t('meetings.column.target')}>
          <MirrorPlace place={row.target} />
        </Fact>
        <Fact name={t('meetings.column.status')}>
          <span className={styles.status}>
            <MirrorStatus status={row.status} />
          </span>
        </Fact>
        {explain ? (
          <Fact name={t('meetings.details.why')}>
            <Button
              variant="subtle"
              size="xs"
              leftSection={<IconHelpCircle size={15} aria-hidden />}
              onClick={() =>
                explain({ about: 'mirrors', eventId: row.origin_event_id, calendarId: row.target.calendar_id })
              }
            >
              {t('meetings.action.explain')}
            </Button>
          </Fact>
        ) : null}
      </dl>
      <MirrorStory row={row} />
      {row.error || row.reason ? (
        <Banner
          state={row.status === 'failed' ? 'bad' : row.status === 'pending' ? 'pending' : 'idle'}
          title={row.status === 'failed' ? t('meetings.details.notWritten') : undefined}
        >
          {row.error ?? row.reason}
        </Banner>
      ) : null}
      <div className={styles.section}>
        <h3>{t('meetings.details.activity')}</h3>
        <OriginLink row={row} />
      </div>
      <AuditOf id={row.id} full={false} />
    </DetailsSheet>
  );
}
