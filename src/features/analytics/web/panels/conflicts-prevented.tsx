import { useTranslation } from 'react-i18next';
import { useBoard } from '../board.ts';
import { type Dashboard, useMonth } from '../queries.ts';
import { Delta } from './delta.tsx';
import { FigurePanel } from './figure-panel.tsx';
import styles from './parts.module.css';
import { useFigureText } from './use-figure-text.ts';

export function ConflictsPrevented({ found }: { found: Dashboard['conflict_prevention'] }) {
  const { t } = useTranslation();
  const { asked, open, set } = useBoard();
  const { number, percent } = useFigureText();
  const month = useMonth(asked).data?.data;
  const { conflicts_prevented: prevented, conflicts_last_period: before, rejected, masked } = found;
  const mirrored = found.mirrored_slots_pct;
  const parts = [
    { part: 'rejected', label: t('analytics.conflicts.rejected'), value: rejected },
    { part: 'masked', label: t('analytics.conflicts.masked'), value: masked },
  ];
  const title = t('analytics.conflicts.title');
  return (
    <FigurePanel
      panel="conflict-prevention"
      title={title}
      figures={{
        columns: [title, t('analytics.column.value')],
        rows: [
          [title, number(prevented)],
          ...parts.map(({ label, value }) => [label, number(value)]),
          [t('analytics.column.previous'), number(before)],
          [t('analytics.conflicts.month'), number(month?.conflicts_prevented ?? null)],
          [t('analytics.conflicts.mirroredShort'), percent(mirrored)],
        ],
      }}
    >
      {prevented === 0 ? (
        <p className={styles.none}>{t('analytics.conflicts.empty')}</p>
      ) : (
        <>
          <div className={styles.lead}>
            <button type="button" className={styles.big} onClick={() => open('conflict-prevention')}>
              {number(prevented)}
              <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
            </button>
            <Delta
              delta={before === 0 ? null : Math.round((1000 * (prevented - before)) / before) / 10}
              unit="percent"
              isNew
            />
          </div>
          <ul className={styles.split}>
            {parts.map(({ part, label, value }) => (
              <li key={part}>
                <button type="button" onClick={() => open('conflict-prevention', part)}>
                  <span className={styles.name}>{label}</span> <span className="hf-num">{number(value)}</span>{' '}
                  <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <ul className={styles.split}>
        <li>
          <button type="button" onClick={() => set({ rows: 'conflict-prevention', part: undefined, month: '1' })}>
            <span className={styles.name}>{t('analytics.conflicts.month')}</span>{' '}
            <span className="hf-num">{number(month?.conflicts_prevented ?? null)}</span>{' '}
            <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
          </button>
        </li>
      </ul>
      <p className={styles.foot}>
        {mirrored === null
          ? t('analytics.conflicts.noMirrors')
          : t('analytics.conflicts.mirrored', { percent: percent(mirrored) })}
      </p>
    </FigurePanel>
  );
}
