import { type MouseEvent, type ReactNode, useRef } from 'react';
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
  /** A press anywhere in a row, beside its own buttons and links. Keys use a button of the row. */
  onOpen?: (row: Row) => void;
  /** Rows that follow each other and have the same key share a heading. */
  groups?: { keyOf: (row: Row) => string; heading: (rows: readonly Row[]) => ReactNode } | undefined;
}

/** A table; on a phone its rows become cards, because a squeezed table cannot be read. */
export function DataTable<Row>({ caption, columns, rows, keyOf, selection, onOpen, groups }: DataTableProps<Row>) {
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
      {partsOf(rows, groups?.keyOf).map((ones) => (
        <tbody key={ones[0] === undefined ? '' : keyOf(ones[0])}>
          {groups && ones.length > 0 ? (
            <tr data-group>
              <th scope="rowgroup" colSpan={columns.length + (selection ? 1 : 0)}>
                {groups.heading(ones)}
              </th>
            </tr>
          ) : null}
          {ones.map((row) => {
            const key = keyOf(row);
            const isSelected = selection?.selected.has(key) ?? false;
            return (
              <tr
                key={key}
                data-selected={isSelected || undefined}
                data-opens={onOpen ? true : undefined}
                onClick={
                  onOpen
                    ? (event) => {
                        if (isOfRow(event)) onOpen(row);
                      }
                    : undefined
                }
              >
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
      ))}
    </table>
  );
}

function partsOf<Row>(rows: readonly Row[], keyOf: ((row: Row) => string) | undefined): Row[][] {
  const parts: Row[][] = [];
  for (const row of rows) {
    const [before] = parts.at(-1) ?? [];
    if (before !== undefined && (keyOf === undefined || keyOf(before) === keyOf(row))) parts.at(-1)?.push(row);
    else parts.push([row]);
  }
  return parts;
}

/** A press on the row itself: not on what acts by itself, in a menu of it, or to select its text. */
function isOfRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): boolean {
  if (!(target instanceof Element) || !currentTarget.contains(target)) return false;
  return target.closest('a, button, input, label') === null && window.getSelection()?.isCollapsed !== false;
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
