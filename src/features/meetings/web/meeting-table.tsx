import { useTranslation } from 'react-i18next';
import { Tag } from '#ui/badge.tsx';
import { type Column, DataTable, type Selection, TwoLines } from '#ui/data-table.tsx';
import type { ConsoleSearch } from './console-search.ts';
import { Invitee, InviteeName } from './invitee.tsx';
import { MeetingWhen } from './meeting-when.tsx';
import { HealthBadge } from './mirrors/health-badge.tsx';
import { MirrorPlace } from './mirrors/mirror-place.tsx';
import type { Repairs } from './mirrors/use-repairs.ts';
import type { MeetingRow } from './queries.ts';
import { MeetingActions } from './row-actions.tsx';
import styles from './row-title.module.css';
import { sortable } from './sort-header.tsx';

export interface MeetingTableProps {
  caption: string;
  rows: readonly MeetingRow[];
  search: ConsoleSearch;
  isAhead: boolean;
  repairs: Repairs;
  selection: Selection<MeetingRow>;
  onOpen: (what: 'details' | 'audit' | 'cancel' | 'move', row: MeetingRow) => void;
}

export function MeetingTable({ caption, rows, search, isAhead, repairs, selection, onOpen }: MeetingTableProps) {
  const { t } = useTranslation();
  const columns: Column<MeetingRow>[] = [
    {
      key: 'when',
      ...sortable(search, 'date', t('meetings.column.when')),
      phone: 'aside',
      fit: true,
      cell: (row) => <MeetingWhen row={row} />,
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
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={(row) => row.id} selection={selection} />;
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
