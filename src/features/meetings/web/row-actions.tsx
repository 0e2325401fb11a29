import { IconDots, IconRefresh } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { useExplain } from '#ui/explain.ts';
import { ActionMenu, MenuDivider, MenuItem } from '#ui/menu.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import { showToast } from '#ui/toasts.tsx';
import type { Repairs } from './mirrors/use-repairs.ts';
import { openLink } from './open-link.ts';
import { canRetry, type MeetingRow, type MirrorRow } from './queries.ts';
import styles from './row-actions.module.css';

export interface RowActionsProps<Row> {
  row: Row;
  repairs: Repairs;
  onView: () => void;
  onAudit: () => void;
}

/** View and resync at hand where there is room, everything in the menu. */
function Actions({
  title,
  onView,
  onResync,
  children,
}: {
  title: string;
  onView: () => void;
  /** Null where nothing is to be repaired. */
  onResync: (() => void) | null;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <span className={styles.actions}>
      <span className={styles.wide}>
        <Button variant="subtle" size="xs" data-quiet onClick={onView}>
          {t('meetings.action.view')}
          <span className="hf-sr-only"> {title}</span>
        </Button>
        {onResync ? (
          <IconButton label={t('meetings.action.resyncNamed', { title })} onClick={onResync}>
            <IconRefresh size={17} aria-hidden />
          </IconButton>
        ) : (
          <span className={styles.gap} />
        )}
      </span>
      <ActionMenu
        trigger={
          <IconButton label={t('meetings.action.more', { title })}>
            <IconDots size={17} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onClick={onView}>{t('meetings.action.view')}</MenuItem>
        {onResync ? <MenuItem onClick={onResync}>{t('meetings.action.resync')}</MenuItem> : null}
        {children}
      </ActionMenu>
    </span>
  );
}

function OpenItem({ url, provider }: { url: string | null; provider: string }) {
  const { t } = useTranslation();
  const link = openLink(url);
  if (link === null) return null;
  return (
    <MenuItem component="a" href={link.href} target="_blank" rel="noreferrer noopener">
      {t('meetings.action.open', { provider: providerName(provider) })}
    </MenuItem>
  );
}

export function MirrorActions({ row, repairs, onView, onAudit }: RowActionsProps<MirrorRow>) {
  const { t } = useTranslation();
  const explain = useExplain();
  const repairable = row.status === 'failed' || row.status === 'pending';
  return (
    <Actions title={row.title} onView={onView} onResync={repairable ? () => repairs.resync(row.event_id) : null}>
      {canRetry(row) ? <MenuItem onClick={() => repairs.retry(row.id)}>{t('meetings.details.retry')}</MenuItem> : null}
      <MenuItem onClick={onAudit}>{t('meetings.action.audit')}</MenuItem>
      {explain ? (
        <MenuItem
          onClick={() =>
            explain({ about: 'mirrors', eventId: row.origin_event_id, calendarId: row.target.calendar_id })
          }
        >
          {t('meetings.action.explain')}
        </MenuItem>
      ) : null}
      <OpenItem url={row.open_url} provider={row.target.provider} />
    </Actions>
  );
}

/** Actions of a meeting. An upcoming one can be moved and cancelled, or says why not. */
export function MeetingActions({
  row,
  isAhead,
  repairs,
  onView,
  onAudit,
  onCancel,
  onMove,
}: RowActionsProps<MeetingRow> & { isAhead: boolean; onCancel: () => void; onMove: () => void }) {
  const { t } = useTranslation();
  const explain = useExplain();
  const navigate = useNavigate();
  const { failed, pending } = row.mirrorHealth;
  const repairable = failed > 0 || pending > 0;
  const reason = row.not_editable_reason === null ? null : t(`meetings.notEditable.${row.not_editable_reason}`);
  const reasonId = useId();
  // reached by keys all the same, or nobody who does not see would be told why
  const blocked = reason === null ? {} : { 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': reasonId };
  const sayWhy = () => showToast({ subject: row.event_id, state: 'idle', message: reason ?? '' });
  return (
    <Actions title={row.eventType} onView={onView} onResync={repairable ? () => repairs.resync(row.event_id) : null}>
      {row.booking?.has_event === false ? null : <MenuItem onClick={onAudit}>{t('meetings.action.audit')}</MenuItem>}
      {explain && row.booking?.has_event !== false ? (
        <MenuItem onClick={() => explain({ about: 'mirrors', eventId: row.event_id })}>
          {t('meetings.action.explain')}
        </MenuItem>
      ) : null}
      <OpenItem url={row.open_url} provider={row.origin.provider} />
      {row.booking ? (
        isAhead && row.status === 'Confirmed' ? (
          <>
            <MenuDivider />
            <MenuItem onClick={onMove}>{t('meetings.action.reschedule')}</MenuItem>
            <MenuItem color="bad" onClick={onCancel}>
              {t('meetings.booking.action.cancel')}
            </MenuItem>
          </>
        ) : null
      ) : isAhead ? (
        <>
          <MenuDivider />
          {reason === null ? null : (
            <div id={reasonId} className={styles.why}>
              {reason}
            </div>
          )}
          <MenuItem
            {...blocked}
            onClick={() => {
              if (reason === null) void navigate({ to: '/calendar', search: { day: row.date, edit: row.event_id } });
              else sayWhy();
            }}
          >
            {t('meetings.action.reschedule')}
          </MenuItem>
          <MenuItem {...blocked} color="bad" onClick={reason === null ? onCancel : sayWhy}>
            {t('meetings.action.cancel')}
          </MenuItem>
        </>
      ) : null}
    </Actions>
  );
}
