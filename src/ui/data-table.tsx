import type { ReactNode } from 'react';
import styles from './data-table.module.css';

export interface Column<Row> {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** Where it stands in the two-line card a row becomes on a phone. */
  phone: 'title' | 'aside' | 'line' | 'actions';
  /** As wide as its content, on one line. */
  fit?: boolean;
}

export interface DataTableProps<Row> {
  /** What the table is, for those who do not see it. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
}

/** A table; on a phone its rows become cards, because a squeezed table cannot be read. */
export function DataTable<Row>({ caption, columns, rows, keyOf }: DataTableProps<Row>) {
  return (
    <table className={styles.table}>
      <caption className="hf-sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.key} scope="col">
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column) => (
              <td key={column.key} data-phone={column.phone} data-fit={column.fit || undefined}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Two lines in a cell: what matters, and a dim one below. */
export function TwoLines({ first, second }: { first: ReactNode; second?: ReactNode }) {
  return (
    <span className={styles.lines}>
      <span className={styles.first}>{first}</span>
      {second ? <span className={styles.second}>{second}</span> : null}
    </span>
  );
}
