import { useTranslation } from 'react-i18next';
import { type Column, DataTable, type Selection, TwoLines } from '#ui/data-table.tsx';
import type { ConsoleSearch } from '../console-search.ts';
import type { MirrorRow } from '../queries.ts';
import { MirrorActions } from '../row-actions.tsx';
import styles from '../row-title.module.css';
import { sortable } from '../sort-header.tsx';
import { MirrorPlace, MirrorPlaceName } from './mirror-place.tsx';
import { MirrorStatus } from './mirror-status.tsx';
import { MirrorWhen } from './mirror-when.tsx';
import type { Repairs } from './use-repairs.ts';

export interface MirrorTableProps {
  rows: readonly MirrorRow[];
  search: ConsoleSearch;
  repairs: Repairs;
  selection: Selection<MirrorRow>;
  onOpen: (what: 'details' | 'audit', row: MirrorRow) => void;
}

export function MirrorTable({ rows, search, repairs, selection, onOpen }: MirrorTableProps) {
  const { t } = useTranslation();
  const columns: Column<MirrorRow>[] = [
    {
      key: 'when',
      ...sortable(search, 'date', t('meetings.column.when')),
      phone: 'aside',
      fit: true,
      cell: (row) => <MirrorWhen row={row} />,
    },
    {
      key: 'title',
      ...sortable(search, 'title', t('meetings.column.title')),
      phone: 'title',
      cell: (row) => (
        <div className={styles.title}>
          <TwoLines
            first={row.title}
            second={t('meetings.shownAs', { title: row.shown_as })}
            narrow={<MirrorPlaceName place={row.target} />}
          />
        </div>
      ),
    },
    {
      key: 'target',
      ...sortable(search, 'origin', t('meetings.column.target')),
      phone: 'line',
      roomy: true,
      fit: true,
      cell: (row) => <MirrorPlace place={row.target} />,
    },
    {
      key: 'status',
      ...sortable(search, 'health', t('meetings.column.status')),
      phone: 'line',
      cell: (row) => (
        <TwoLines
          first={<MirrorStatus status={row.status} />}
          second={row.status === 'created' ? null : (row.error ?? row.reason)}
        />
      ),
    },
    {
      key: 'actions',
      header: t('meetings.column.actions'),
      phone: 'actions',
      fit: true,
      cell: (row) => (
        <MirrorActions
          row={row}
          repairs={repairs}
          onView={() => onOpen('details', row)}
          onAudit={() => onOpen('audit', row)}
        />
      ),
    },
  ];
  return (
    <DataTable
      caption={t('meetings.tab.mirrors')}
      columns={columns}
      rows={rows}
      keyOf={(row) => row.id}
      selection={selection}
      onOpen={(row) => onOpen('details', row)}
    />
  );
}
