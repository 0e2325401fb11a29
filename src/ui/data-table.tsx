import { type ReactNode, useRef } from 'react';
import { Checkbox } from './choice.tsx';
import styles from './data-table.module.css';

export interface Column<Row> {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Where it stands in the card that a row becomes on a phone; `start` and `end` share a line. */
  phone: 'title' | 'aside' | 'line' | 'start' | 'end' | 'actions' | 'hidden';
  /** As wide as its content, on one line. */
  fit?: boolean;
  /** Not there in windows between a phone and a desktop; `narrow` of another cell's `TwoLines` may tell it. */
  roomy?: boolean;
  /** The rows are in its order. */
  sorted?: 'ascending' | 'descending' | undefined;
}

/** Rows that are chosen; Shift takes all between the last one and this. */
export interface Selection<Row> {
  selected: ReadonlySet<string>;
  onSelect: (keys: readonly string[], isSelected: boolean) => void;
  labelAll: string;
  labelOf: (row: Row) => string;
}

export interface DataTableProps<Row> {
  /** Accessible name of the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  selection?: Selection<Row>;
}

/** A table; on a phone its rows become cards, because a squeezed table cannot be read. */
export function DataTable<Row>({ caption, columns, rows, keyOf, selection }: DataTableProps<Row>) {
  const keys = rows.map(keyOf);
  const lastPressed = useRef<string | null>(null);
  const select = (key: string, isSelected: boolean, isRange: boolean) => {
    const from = isRange && lastPressed.current !== null ? keys.indexOf(lastPressed.current) : -1;
    const to = keys.indexOf(key);
    lastPressed.current = key;
    selection?.onSelect(from === -1 ? [key] : keys.slice(Math.min(from, to), Math.max(from, to) + 1), isSelected);
  };
  const selectedCount = keys.filter((key) => selection?.selected.has(key)).length;
  return (
    <table className={styles.table} data-selects={selection ? true : undefined}>
      <caption className="hf-sr-only">{caption}</caption>
      <thead>
        <tr>
          {selection ? (
            <th scope="col" data-select>
              <Checkbox
                aria-label={selection.labelAll}
                checked={selectedCount > 0 && selectedCount === rows.length}
                indeterminate={selectedCount > 0 && selectedCount < rows.length}
                onChange={(event) => selection.onSelect(keys, event.currentTarget.checked)}
              />
            </th>
          ) : null}
          {columns.map((column) => (
            <th key={column.key} scope="col" data-roomy={column.roomy || undefined} aria-sort={column.sorted}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = keyOf(row);
          const isSelected = selection?.selected.has(key) ?? false;
          return (
            <tr key={key} data-selected={isSelected || undefined}>
              {selection ? (
                <td data-select>
                  <Checkbox
                    aria-label={selection.labelOf(row)}
                    checked={isSelected}
                    onChange={(event) => {
                      const { nativeEvent } = event;
                      const isRange = 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true;
                      select(key, event.currentTarget.checked, isRange);
                    }}
                  />
                </td>
              ) : null}
              {columns.map((column) => (
                <td
                  key={column.key}
                  data-phone={column.phone}
                  data-fit={column.fit || undefined}
                  data-roomy={column.roomy || undefined}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Two lines in a cell: what matters, and a dim one below; `narrow` is the dim one where roomy columns are left out. */
export function TwoLines({ first, second, narrow }: { first: ReactNode; second?: ReactNode; narrow?: ReactNode }) {
  return (
    <span className={styles.lines}>
      <span className={styles.first}>{first}</span>
      {second ? (
        <span className={styles.second} data-roomy={narrow ? true : undefined}>
          {second}
        </span>
      ) : null}
      {narrow ? (
        <span className={styles.second} data-narrow>
          {narrow}
        </span>
      ) : null}
    </span>
  );
}
