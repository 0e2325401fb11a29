import { useAmounts } from '../use-amounts.ts';
import styles from './overview-section.module.css';

/** How a whole is made of its parts: count and share of each. */
export function ShareList({ rows, label }: { rows: readonly { name: string; people: number }[]; label: string }) {
  const { number, percent } = useAmounts();
  const all = rows.reduce((sum, { people }) => sum + people, 0);
  return (
    <ul className={styles.rows} aria-label={label}>
      {rows.map(({ name, people }) => {
        const share = all === 0 ? 0 : (people / all) * 100;
        return (
          <li key={name}>
            <span className={styles.ends}>
              <span>{name}</span>
              <span>
                {number(people)} · {percent(share)}
              </span>
            </span>
            <div className={styles.bar}>
              <span style={{ width: `${share}%` }} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
