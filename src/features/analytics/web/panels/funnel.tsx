import { useTranslation } from 'react-i18next';
import { useBoard } from '../board.ts';
import type { Dashboard } from '../queries.ts';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import styles from './parts.module.css';
import { useFigureText } from './use-figure-text.ts';

/** From a look at a booking page to a meeting. */
export function Funnel({ found }: { found: Dashboard['funnel'] }) {
  const { t } = useTranslation();
  const { open } = useBoard();
  const { number, share } = useFigureText();
  const stages = found?.stages ?? [];
  const first = stages[0]?.count ?? 0;
  const most = Math.max(1, ...stages.map(({ count }) => count));
  return (
    <FigurePanel
      panel="funnel"
      title={t('analytics.funnel.title')}
      text={t('analytics.funnel.text')}
      figures={{
        columns: [
          t('analytics.column.stage'),
          t('analytics.column.visits'),
          t('analytics.column.share'),
          t('analytics.column.previous'),
        ],
        rows: stages.map(({ stage, count, previous }) => [
          t(`analytics.stage.${stage}`),
          number(count),
          share(count, first),
          number(previous),
        ]),
      }}
    >
      {found === null ? (
        <PanelEmpty title={t('analytics.kpi.notRecorded')} />
      ) : most === 1 && stages.every(({ count }) => count === 0) ? (
        <PanelEmpty title={t('analytics.funnel.empty')} text={t('analytics.funnel.emptyText')} />
      ) : (
        <ol className={styles.stages}>
          {stages.map(({ stage, count, previous }) => (
            <li key={stage}>
              <button type="button" onClick={() => open('funnel', stage)}>
                <span className={styles.name}>{t(`analytics.stage.${stage}`)}</span>{' '}
                <span className="hf-num">{number(count)}</span>{' '}
                <span className={`${styles.dim} hf-num`}>{share(count, first)}</span>{' '}
                <span className={`${styles.before} hf-num`}>
                  {t('analytics.funnel.before', { n: number(previous) })}
                </span>{' '}
                <span className={styles.track} aria-hidden="true">
                  <span style={{ width: `${(100 * count) / most}%` }} />
                </span>{' '}
                <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </FigurePanel>
  );
}
