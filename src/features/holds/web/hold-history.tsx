import { useTranslation } from 'react-i18next';
import styles from './hold-dialog.module.css';
import type { HoldEntry } from './queries.ts';
import { useHoldWords } from './use-hold-words.ts';

/** The history of a hold, newest first. */
export function HoldHistory({ history }: { history: readonly HoldEntry[] }) {
  const { t } = useTranslation();
  const words = useHoldWords();
  const textOf = ({ kind, from, to, for: booked }: HoldEntry) => {
    const at = to ?? from;
    const what = t(`holds.history.${kind}`, { when: at === null ? '' : words.when(at.start, at.end) });
    return booked === null ? what : t('holds.history.for', { what, booked });
  };
  return (
    <section>
      <h3 className={styles.title}>{t('holds.history.title')}</h3>
      <ul className={styles.history}>
        {history.map((entry) => (
          <li key={`${entry.at} ${entry.kind}`}>
            <span>{textOf(entry)}</span>
            <span className={styles.quiet}>{words.moment(entry.at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
