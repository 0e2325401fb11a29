import { IconDots, IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { ActionMenu, MenuItem } from '#ui/menu.tsx';
import type { MirrorRow } from './queries.ts';
import styles from './row-actions.module.css';
import type { Repairs } from './use-repairs.ts';

export interface RowActionsProps {
  row: MirrorRow;
  repairs: Repairs;
  onView: () => void;
  onAudit: () => void;
}

export function RowActions({ row, repairs, onView, onAudit }: RowActionsProps) {
  const { t } = useTranslation();
  const repairable = row.status === 'failed' || row.status === 'pending';
  return (
    <span className={styles.actions}>
      <span className={styles.wide}>
        <Button variant="subtle" size="xs" onClick={onView}>
          {t('meetings.action.view')}
          <span className="hf-sr-only"> {row.title}</span>
        </Button>
        {repairable ? (
          <IconButton
            label={t('meetings.action.resyncNamed', { title: row.title })}
            onClick={() => repairs.resync(row)}
          >
            <IconRefresh size={17} aria-hidden />
          </IconButton>
        ) : null}
      </span>
      <ActionMenu
        trigger={
          <IconButton label={t('meetings.action.more', { title: row.title })}>
            <IconDots size={17} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={onView}>{t('meetings.action.view')}</MenuItem>
        <MenuItem onClick={onAudit}>{t('meetings.action.audit')}</MenuItem>
        {repairable ? <MenuItem onClick={() => repairs.resync(row)}>{t('meetings.action.resync')}</MenuItem> : null}
        {row.status === 'failed' ? (
          <MenuItem onClick={() => repairs.retry(row)}>{t('meetings.details.retry')}</MenuItem>
        ) : null}
      </ActionMenu>
    </span>
  );
}
