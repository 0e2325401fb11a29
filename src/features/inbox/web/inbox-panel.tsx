import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { SidePanel } from '#ui/side-panel.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { isOfBooking } from '../rules.ts';
import styles from './inbox-panel.module.css';
import { NoticeRow } from './notice-row.tsx';
import { type Notice, useMarkNotices, useNotices } from './queries.ts';

const filters = ['all', 'unread', 'bookings', 'syncing', 'conflicts'] as const;
type Filter = (typeof filters)[number];

const isAbout: Record<Filter, (notice: Notice) => boolean> = {
  all: () => true,
  unread: ({ read, over }) => !read && !over,
  bookings: isOfBooking,
  syncing: (notice) =>
    notice.kind !== 'conflict' && notice.kind !== 'invitation' && notice.kind !== 'panel' && !isOfBooking(notice),
  conflicts: ({ kind }) => kind === 'conflict',
};

/** Invitations that wait, then the user's notices, each with a link to the screen that resolves it. */
export function InboxPanel({ invitations, onClose }: { invitations: ReactNode; onClose: () => void }) {
  const { t } = useTranslation();
  const inbox = useNotices();
  const mark = useMarkNotices();
  const [filter, setFilter] = useState<Filter>('all');
  const { notices = [], unread = 0 } = inbox.data ?? {};
  const shown = notices.filter(isAbout[filter]);
  return (
    <SidePanel
      title={t('inbox.title')}
      onClose={onClose}
      actions={
        unread > 0 ? (
          <Button variant="subtle" size="xs" onClick={() => mark.mutate({ read: true })}>
            {t('inbox.markAll')}
          </Button>
        ) : null
      }
    >
      <Suspense>{invitations}</Suspense>
      <div className={styles.filters}>
        <Segmented
          aria-label={t('inbox.filter.label')}
          size="xs"
          fullWidth
          value={filter}
          onChange={(value) => setFilter(value as Filter)}
          data={filters.map((value) => ({ value, label: t(`inbox.filter.${value}`) }))}
        />
      </div>
      {inbox.isPending ? <SkeletonRows rows={4} label={t('shell.loading')} /> : null}
      {inbox.isError && inbox.data === undefined ? (
        <ErrorState title={t('inbox.failed')} error={inbox.error} onRetry={() => void inbox.refetch()} />
      ) : null}
      {inbox.data !== undefined && shown.length === 0 ? (
        <EmptyState art="meetings" title={t(`inbox.none.${filter}`)} text={t('inbox.noneText')} />
      ) : null}
      <ul className={styles.list}>
        {shown.map((notice) => (
          <NoticeRow
            key={notice.id}
            notice={notice}
            onOpen={() => {
              if (!notice.read) mark.mutate({ ids: [notice.id], read: true });
              onClose();
            }}
            onMark={(read) => mark.mutate({ ids: [notice.id], read })}
          />
        ))}
      </ul>
    </SidePanel>
  );
}
