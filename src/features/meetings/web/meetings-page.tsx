import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import type { Selection } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Tab, TabList, TabPanel, Tabs } from '#ui/tabs.tsx';
import { useCancel } from './bookings/use-cancel.ts';
import { ConsoleFilters } from './console-filters.tsx';
import { type ConsoleSearch, isFiltered, readConsoleSearch, tabOf } from './console-search.ts';
import { DetailsStepsContext } from './details/details-steps.ts';
import { LinkButton } from './link-button.ts';
import { MeetingTable } from './meeting-table.tsx';
import { MirrorTable } from './mirrors/mirror-table.tsx';
import { useRepairs } from './mirrors/use-repairs.ts';
import { Pager } from './pager.tsx';
import { type ConsolePage, exportAddress, type MeetingRow, type MirrorRow, useConsole } from './queries.ts';

// Opened by a press: the table does not wait for them.
const AuditDialog = lazy(async () => ({ default: (await import('./mirrors/audit-dialog.tsx')).AuditDialog }));
const MirrorDetails = lazy(async () => ({ default: (await import('./mirrors/mirror-details.tsx')).MirrorDetails }));
const MeetingDetails = lazy(async () => ({ default: (await import('./meeting-details.tsx')).MeetingDetails }));
const CancelDialog = lazy(async () => ({ default: (await import('./bookings/cancel-dialog.tsx')).CancelDialog }));

const BulkBar = lazy(async () => ({ default: (await import('./mirrors/bulk-bar.tsx')).BulkBar }));
const BulkProgress = lazy(async () => ({ default: (await import('./mirrors/bulk-bar.tsx')).BulkProgress }));
const BookingDesk = lazy(async () => ({ default: (await import('./bookings/booking-desk.tsx')).BookingDesk }));

const TeamLinks = lazy(async () => ({ default: (await import('./team/team-links.tsx')).TeamLinks }));
const DecisionsPanel = lazy(async () => ({ default: (await import('./bookings/decisions-panel.tsx')).DecisionsPanel }));

/** Height of the decisions panel at the last visit on this device. The place is kept while rows load. */
const keptHeight = () => Number(localStorage.getItem('holdfast-decisions-height'));

type Row = MeetingRow | MirrorRow;
interface Opened {
  dialog: 'details' | 'audit' | 'cancel' | 'move';
  row: Row;
}

const rowsOf = (page: ConsolePage): Row[] => [...page.upcoming, ...page.past, ...page.mirrors];

export function MeetingsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  // the router leaves what it does not know, such as ?lang=es, and the server refuses it
  const search: ConsoleSearch = readConsoleSearch(useSearch({ strict: false }));
  const tab = tabOf(search);
  const list = useConsole(search);
  const repairs = useRepairs();
  const cancel = useCancel();
  const [opened, setOpened] = useState<Opened | null>(null);
  const counts = list.data?.counts;
  useEffect(() => {
    if (counts?.requests === 0) localStorage.removeItem('holdfast-decisions-height');
  }, [counts?.requests]);

  const look = (booking: string | undefined) => void navigate({ to: '.', search: { ...search, booking } });
  const open = (dialog: Opened['dialog'], row: Row) => {
    const [booked] = row.is_mirror ? [] : (row.booking?.comers ?? []);
    if (dialog === 'details' && booked) {
      setOpened(null);
      look(booked.booking_id);
      return;
    }
    if (search.booking !== undefined) look(undefined);
    setOpened({ dialog, row });
  };
  const close = () => setOpened(null);
  // one dialog at a time: the booking makes way for its audit log
  const audit = (booked: MeetingRow) => open('audit', booked);
  // A fresh list may no longer hold the row that is looked at; then the last known one stays in view.
  const row = opened && ((list.data ? rowsOf(list.data) : []).find((one) => one.id === opened.row.id) ?? opened.row);

  const desk = deskOf(search, row, opened, list.data);

  // filters follow to the next tab, the page number does not
  const goTo = (next: string | null) =>
    void navigate({
      to: '.',
      search: {
        ...search,
        tab: next,
        page: undefined,
        sort: undefined,
        order: undefined,
        status: undefined,
        health: undefined,
      },
    });
  const names = {
    upcoming: t('meetings.tab.upcoming'),
    past: t('meetings.tab.past'),
    mirrors: t('meetings.tab.mirrors'),
  };

  return (
    <Page
      title={t('meetings.title')}
      subtitle={t('meetings.subtitle')}
      actions={
        <>
          <Suspense>
            <TeamLinks />
          </Suspense>
          <ButtonAnchor
            variant="default"
            href={exportAddress(search)}
            download
            leftSection={<IconDownload size={16} aria-hidden />}
          >
            {t('meetings.filter.export')}
          </ButtonAnchor>
        </>
      }
    >
      {counts === undefined && keptHeight() > 0 ? <div style={{ minHeight: keptHeight() }} /> : null}
      {counts && counts.requests > 0 ? (
        <Suspense fallback={<div style={{ minHeight: keptHeight() }} />}>
          <DecisionsPanel />
        </Suspense>
      ) : null}
      <Tabs value={tab} onChange={goTo}>
        <TabList>
          {(['upcoming', 'past', 'mirrors'] as const).map((one) => (
            <Tab key={one} value={one} rightSection={<Tag>{counts?.[one] ?? '…'}</Tag>}>
              {names[one]}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={tab} pt="md">
          <ConsoleFilters search={search} />
          {list.data ? (
            <Suspense fallback={null}>
              <BulkProgress page={list.data} repairs={repairs} />
            </Suspense>
          ) : null}
          {list.data ? (
            <Rows
              key={`${tab} ${search.page ?? 1}`}
              page={list.data}
              search={search}
              repairs={repairs}
              name={names[tab]}
              onOpen={open}
            />
          ) : (
            <Panel flush>
              {list.error ? (
                <ErrorState title={t('meetings.loadFailed')} error={list.error} onRetry={() => void list.refetch()} />
              ) : (
                <SkeletonRows rows={6} label={t('meetings.loading')} />
              )}
            </Panel>
          )}
        </TabPanel>
      </Tabs>
      <DetailsStepsContext value={stepsFrom(list.data, desk?.row ?? row, open)}>
        <Suspense>
          {row?.is_mirror && opened?.dialog === 'details' ? (
            <MirrorDetails row={row} repairs={repairs} onAudit={() => open('audit', row)} onClose={close} />
          ) : null}
          {row?.is_mirror === false && opened?.dialog === 'details' ? (
            <MeetingDetails row={row} repairs={repairs} onAudit={() => open('audit', row)} onClose={close} />
          ) : null}
          {row && opened?.dialog === 'audit' ? <AuditDialog row={row} onClose={close} /> : null}
          {desk ? (
            <BookingDesk
              key={desk.dialog === 'details' ? desk.dialog : `${desk.bookingId} ${desk.dialog}`}
              {...desk}
              tools={{ repairs, onAudit: () => (desk.row === null ? undefined : audit(desk.row)) }}
              onClose={desk.dialog === 'details' ? () => look(undefined) : close}
            />
          ) : null}
          {row?.is_mirror === false && row.booking === null && opened?.dialog === 'cancel' ? (
            <CancelDialog row={row} onCancel={cancel} onClose={close} />
          ) : null}
        </Suspense>
      </DetailsStepsContext>
    </Page>
  );
}

/** From the row whose details are open to those beside it; none where the list does not have it. */
function stepsFrom(page: ConsolePage | undefined, row: Row | null, open: (dialog: 'details', row: Row) => void) {
  const rows = page ? rowsOf(page) : [];
  const at = rows.findIndex((one) => one.id === row?.id);
  if (at === -1) return null;
  const to = (by: -1 | 1) => {
    const other = rows[at + by];
    return other === undefined ? null : () => open('details', other);
  };
  return { previous: to(-1), next: to(1) };
}

/** The booking that is looked at: one of a row whose action was pressed, or that which the address names. */
function deskOf(search: ConsoleSearch, row: Row | null, opened: Opened | null, page: ConsolePage | undefined) {
  if (row?.is_mirror === false && row.booking && (opened?.dialog === 'move' || opened?.dialog === 'cancel')) {
    const [first] = row.booking.comers;
    return first ? { bookingId: first.booking_id, row, dialog: opened.dialog } : null;
  }
  const bookingId = search.booking;
  if (bookingId === undefined) return null;
  const rows = page ? [...page.upcoming, ...page.past] : [];
  const found = rows.find((one) => one.booking?.comers.some((comer) => comer.booking_id === bookingId)) ?? null;
  return { bookingId, row: found, dialog: 'details' as const };
}

interface RowsProps {
  page: ConsolePage;
  search: ConsoleSearch;
  repairs: ReturnType<typeof useRepairs>;
  name: string;
  onOpen: (dialog: Opened['dialog'], row: Row) => void;
}

/** The rows of one tab and page, with those of them that are chosen. */
function Rows({ page, search, repairs, name, onOpen }: RowsProps) {
  const { t } = useTranslation();
  const tab = tabOf(search);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const rows = rowsOf(page);
  const chosen = rows.filter((row) => selected.has(row.id));
  const selection: Selection<Row> = {
    selected,
    onSelect: (keys, isSelected) =>
      setSelected(
        (before) => new Set(isSelected ? [...before, ...keys] : [...before].filter((key) => !keys.includes(key))),
      ),
    labelAll: t('meetings.bulk.all'),
    labelOf: (row) => t('meetings.bulk.one', { title: row.is_mirror ? row.title : row.eventType }),
  };
  if (rows.length === 0) {
    return (
      <Panel flush>
        <NoRows search={search} name={name} />
      </Panel>
    );
  }
  const shared = { search, repairs, selection, onOpen };
  return (
    <>
      {chosen.length > 0 ? (
        <Suspense fallback={null}>
          <BulkBar
            eventIds={[...new Set(chosen.map((row) => (row.is_mirror ? row.event_id : row.item_id)))]}
            repairs={repairs}
            onClear={() => setSelected(new Set())}
          />
        </Suspense>
      ) : null}
      <Panel flush>
        {tab === 'mirrors' ? (
          <MirrorTable {...shared} rows={page.mirrors} />
        ) : (
          <MeetingTable
            {...shared}
            caption={name}
            rows={page[tab]}
            isAhead={tab === 'upcoming'}
            cut={{ before: (search.page ?? 1) > 1, after: (search.page ?? 1) < page.pages }}
          />
        )}
      </Panel>
      <Pager page={search.page ?? 1} pages={page.pages} matching={page.matching} />
    </>
  );
}

function NoRows({ search, name }: { search: ConsoleSearch; name: string }) {
  const { t } = useTranslation();
  const tab = tabOf(search);
  const filtered = isFiltered(search);
  return (
    <EmptyState
      art="mirrors"
      title={tab === 'mirrors' ? t('meetings.empty.title') : t('meetings.empty.meetings', { tab: name.toLowerCase() })}
      text={
        filtered
          ? t('meetings.empty.filtered')
          : tab === 'mirrors'
            ? t('meetings.empty.text')
            : t('meetings.empty.meetingsText')
      }
      action={
        filtered ? (
          <LinkButton to="/meetings" search={{ tab }} variant="default">
            {t('meetings.empty.clear')}
          </LinkButton>
        ) : tab === 'mirrors' ? (
          <LinkButton to="/integrations/mirrors">{t('meetings.empty.action')}</LinkButton>
        ) : (
          <LinkButton to="/calendar">{t('meetings.empty.calendar')}</LinkButton>
        )
      }
    />
  );
}
