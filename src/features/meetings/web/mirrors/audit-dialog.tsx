import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { type MeetingRow, type MirrorRow, useAudit } from '../queries.ts';
import styles from './audit-dialog.module.css';
import { AuditList } from './audit-list.tsx';
import { MirrorStory } from './mirror-story.tsx';

export function AuditDialog({ row, onClose }: { row: MirrorRow | MeetingRow; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t('meetings.audit.title')}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('meetings.close')}
        </Button>
      }
    >
      <p className={styles.title}>{row.is_mirror ? row.title : row.eventType}</p>
      {row.is_mirror ? <MirrorStory row={row} /> : null}
      <AuditOf id={row.id} full />
    </Dialog>
  );
}

/** The trail, or its last three entries, with the states of fetching it. */
export function AuditOf({ id, full }: { id: string; full: boolean }) {
  const { t } = useTranslation();
  const audit = useAudit(id);
  if (!audit.data && audit.error) {
    return (
      <ErrorState title={t('meetings.audit.loadFailed')} error={audit.error} onRetry={() => void audit.refetch()} />
    );
  }
  if (!audit.data) return <SkeletonRows rows={3} label={t('meetings.loading')} />;
  if (audit.data.logs.length === 0) return <p>{t('meetings.audit.empty')}</p>;
  return (
    <AuditList
      entries={full ? audit.data.logs : audit.data.logs.slice(0, 3)}
      label={full ? t('meetings.audit.title') : t('meetings.details.activity')}
      full={full}
    />
  );
}
