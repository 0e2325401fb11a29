import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { type Column, DataTable, TwoLines } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/tabs.tsx';
import { ConsoleFilters } from './console-filters.tsx';
import type { ConsoleSearch } from './console-search.ts';
import { LinkButton } from './link-button.ts';
import { MirrorPlace } from './mirror-place.tsx';
import { MirrorStatus } from './mirror-status.tsx';
import { MirrorWhen } from './mirror-when.tsx';
import { Pager } from './pager.tsx';
import { type MirrorRow, useMirrors } from './queries.ts';
import { RowActions } from './row-actions.tsx';
import { useRepairs } from './use-repairs.ts';

// Opened by a press: the table does not wait for them.
const AuditDialog = lazy(async () => ({ default: (await import('./audit-dialog.tsx')).AuditDialog }));
const MirrorDetails = lazy(async () => ({ default: (await import('./mirror-details.tsx')).MirrorDetails }));

type Opened = { dialog: 'details' | 'audit'; id: string };

export function MeetingsPage() {
  const { t } = useTranslation();
  const search: ConsoleSearch = useSearch({ strict: false });
  const mirrors = useMirrors(search);
  const repairs = useRepairs();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [lastOpened, setLastOpened] = useState<MirrorRow | null>(null);

  const open = (dialog: Opened['dialog'], row: MirrorRow) => {
    setLastOpened(row);
    setOpened({ dialog, id: row.id });
  };
  // A fresh list may no longer hold the row that is looked at; then the last known one stays in view.
  const row = opened ? (mirrors.data?.mirrors.find((one) => one.id === opened.id) ?? lastOpened) : null;
  const filtered = search.status !== undefined || search.search !== undefined;

  const columns: Column<MirrorRow>[] = [
    {
      key: 'when',
      header: t('meetings.column.when'),
      phone: 'aside',
      fit: true,
      cell: (one) => <MirrorWhen row={one} />,
    },
    {
      key: 'title',
      header: t('meetings.column.title'),
      phone: 'title',
      cell: (one) => <TwoLines first={one.title} second={t('meetings.shownAs', { title: one.shown_as })} />,
    },
    {
      key: 'target',
      header: t('meetings.column.target'),
      phone: 'line',
      fit: true,
      cell: (one) => <MirrorPlace place={one.target} />,
    },
    {
      key: 'status',
      header: t('meetings.column.status'),
      phone: 'line',
      cell: (one) => (
        <TwoLines
          first={<MirrorStatus status={one.status} />}
          second={one.status === 'created' ? null : (one.error ?? one.reason)}
        />
      ),
    },
    {
      key: 'actions',
      header: t('meetings.column.actions'),
      phone: 'actions',
      fit: true,
      cell: (one) => (
        <RowActions
          row={one}
          repairs={repairs}
          onView={() => open('details', one)}
          onAudit={() => open('audit', one)}
        />
      ),
    },
  ];

  return (
    <Page title={t('meetings.title')} subtitle={t('meetings.subtitle')} actions={<ConsoleFilters />}>
      <Tabs value="mirrors">
        <TabList>
          <Tab value="mirrors" rightSection={<Tag>{mirrors.data?.counts.total ?? '…'}</Tag>}>
            {t('meetings.tab.mirrors')}
          </Tab>
        </TabList>
        <TabPanel value="mirrors" pt="md">
          <Panel flush>
            {!mirrors.data && mirrors.error ? (
              <ErrorState
                title={t('meetings.loadFailed')}
                error={mirrors.error}
                onRetry={() => void mirrors.refetch()}
              />
            ) : null}
            {!mirrors.data && !mirrors.error ? <SkeletonRows rows={6} label={t('meetings.loading')} /> : null}
            {mirrors.data?.mirrors.length === 0 ? (
              <EmptyState
                art="mirrors"
                title={t('meetings.empty.title')}
                text={filtered ? t('meetings.empty.filtered') : t('meetings.empty.text')}
                action={
                  filtered ? (
                    <LinkButton to="/meetings" search={{}} variant="default">
                      {t('meetings.empty.clear')}
                    </LinkButton>
                  ) : (
                    <LinkButton to="/integrations/mirrors">{t('meetings.empty.action')}</LinkButton>
                  )
                }
              />
            ) : null}
            {mirrors.data && mirrors.data.mirrors.length > 0 ? (
              <DataTable
                caption={t('meetings.tab.mirrors')}
                columns={columns}
                rows={mirrors.data.mirrors}
                keyOf={(one) => one.id}
              />
            ) : null}
          </Panel>
          {mirrors.data ? <Pager page={search.page ?? 1} pages={mirrors.data.pages} /> : null}
        </TabPanel>
      </Tabs>
      <Suspense>
        {row && opened?.dialog === 'details' ? (
          <MirrorDetails
            row={row}
            repairs={repairs}
            onAudit={() => open('audit', row)}
            onClose={() => setOpened(null)}
          />
        ) : null}
        {row && opened?.dialog === 'audit' ? <AuditDialog row={row} onClose={() => setOpened(null)} /> : null}
      </Suspense>
    </Page>
  );
}
