import styles from './chart.module.css';

/** A chart's data as a readable table: the first column has names, the others figures. */
export interface ChartFigures {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

export function ChartTable({ caption, columns, rows }: ChartFigures & { caption: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what has no focus cannot be scrolled by keys
    <section className={styles.scroll} aria-label={caption} tabIndex={0}>
      <table className={styles.table}>
        <caption className="hf-sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, n) =>
                n === 0 ? (
                  <th key={columns[n]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={columns[n]} className="hf-num">
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
