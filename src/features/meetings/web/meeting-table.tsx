import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { type Column, DataTable, type Selection, TwoLines } from '#ui/data-table.tsx';
import type { ConsoleSearch } from './console-search.ts';
import { DayHeading } from './day-heading.tsx';
import { Invitee, InviteeName } from './invitee.tsx';
import { MeetingWhen } from './meeting-when.tsx';
import { HealthBadge } from './mirrors/health-badge.tsx';
import { MirrorPlace } from './mirrors/mirror-place.tsx';
import type { Repairs } from './mirrors/use-repairs.ts';
import type { MeetingRow } from './queries.ts';
import { MeetingActions } from './row-actions.tsx';
import styles from './row-title.module.css';
import { orderOf, sortable } from './sort-header.tsx';

export interface MeetingTableProps {
  caption: string;
  rows: readonly MeetingRow[];
  search: ConsoleSearch;
  isAhead: boolean;
  /** The list has more rows on other pages, before and after these. */
  cut: { before: boolean; after: boolean };
  repairs: Repairs;
  selection: Selection<MeetingRow>;
  onOpen: (what: 'details' | 'audit' | 'cancel' | 'move', row: MeetingRow) => void;
}

export function MeetingTable({ caption, rows, search, isAhead, cut, repairs, selection, onOpen }: MeetingTableProps) {
  const { t } = useTranslation();
  // In another order the days are mixed.
  const isByDay = orderOf(search).sort === 'date';
  const columns: Column<MeetingRow>[] = [
    {
      key: 'when',
      ...sortable(search, 'date', t('meetings.column.when')),
      phone: 'aside',
      fit: true,
      cell: (row) => <MeetingWhen row={row} isGrouped={isByDay} />,
    },
    {
      key: 'invitee',
      header: t('meetings.column.invitee'),
      phone: 'start',
      roomy: true,
      cell: (row) => <Invitee row={row} />,
    },
    {
      key: 'origin',
      ...sortable(search, 'origin', t('meetings.column.origin')),
      phone: 'hidden',
      roomy: true,
      cell: (row) =>
        row.origin.subcalendar === '' ? t('meetings.booking.noCalendar') : <MirrorPlace place={row.origin} />,
    },
    {
      key: 'type',
      ...sortable(search, 'title', t('meetings.column.type')),
      phone: 'title',
      cell: (row) => (
        <div className={styles.title}>
          <EventType row={row} />
        </div>
      ),
    },
    {
      key: 'health',
      ...sortable(search, 'health', t('meetings.column.health')),
      phone: 'end',
      fit: true,
      cell: (row) => <HealthBadge health={row.mirrorHealth} />,
    },
    {
      key: 'actions',
      header: t('meetings.column.actions'),
      phone: 'actions',
      fit: true,
      cell: (row) => (
        <MeetingActions
          row={row}
          isAhead={isAhead}
          repairs={repairs}
          onView={() => onOpen('details', row)}
          onAudit={() => onOpen('audit', row)}
          onCancel={() => onOpen('cancel', row)}
          onMove={() => onOpen('move', row)}
        />
      ),
    },
  ];
  const heading = (ofDay: readonly MeetingRow[]) => {
    const [first] = ofDay;
    if (first === undefined) return null;
    // A day that continues on another page is not counted.
    const isCut = (cut.before && first === rows[0]) || (cut.after && ofDay.at(-1) === rows.at(-1));
    return <DayHeading date={first.date} count={isCut ? null : ofDay.length} />;
  };
  return (
    <DataTable
      caption={caption}
      columns={columns}
      rows={rows}
      keyOf={(row) => row.id}
      selection={selection}
      onOpen={(row) => onOpen('details', row)}
      groups={isByDay ? { keyOf: (row) => row.date, heading } : undefined}
    />
  );
}

/** The event type of a booking, or the title of another meeting, with marks for special cases. */
function EventType({ row }: { row: MeetingRow }) {
  const { t } = useTranslation();
  const isUsual = row.status === 'Confirmed' || row.status === 'Completed';
  const { booking } = row;
  const more =
    booking && booking.seats > 1
      ? t('meetings.booking.seatsTaken', { taken: booking.seats_taken, seats: booking.seats })
      : row.recurring
        ? t('meetings.repeatsAlone')
        : null;
  return (
    <TwoLines
      first={
        <>
          {row.eventType}
          {booking ? (
            <>
              {' '}
              <Tag>{t('meetings.booking.tag')}</Tag>
            </>
          ) : null}
          {isUsual ? null : (
            <>
              {' '}
              <Tag>{t(`meetings.meetingStatus.${row.status}`)}</Tag>
            </>
          )}
        </>
      }
      second={more}
      narrow={
        row.invitee === '' ? (
          more
        ) : (
          <>
            <InviteeName row={row} />
            {more === null ? null : ` · ${more}`}
          </>
        )
      }
    />
  );
}
