import { useTranslation } from 'react-i18next';
import { useBoard } from '../board.ts';
import type { Dashboard } from '../queries.ts';
import { Delta } from './delta.tsx';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import styles from './parts.module.css';
import { useFigureText } from './use-figure-text.ts';

export function Participants({ found }: { found: Dashboard['participant_insights'] }) {
  const { t } = useTranslation();
  const { open } = useBoard();
  const { number } = useFigureText();
  const {
    top_domains: domains,
    new_participants: fresh,
    repeat_participants: repeat,
    previous_participants: before,
  } = found;
  const total = fresh + repeat;
  const most = Math.max(1, ...domains.map(({ meetings }) => meetings));
  return (
    <FigurePanel
      panel="participant-insights"
      title={t('analytics.people.title')}
      figures={{
        columns: [t('analytics.column.domain'), t('analytics.column.meetings')],
        rows:
          total === 0
            ? []
            : [
                ...domains.map(({ domain, meetings }) => [domain, number(meetings)]),
                [t('analytics.people.new'), number(fresh)],
                [t('analytics.people.repeat'), number(repeat)],
              ],
      }}
    >
      {total === 0 ? (
        <PanelEmpty title={t('analytics.people.empty')} />
      ) : (
        <>
          <div className={styles.pair}>
            {[
              { part: 'new', label: t('analytics.people.new'), value: fresh },
              { part: 'repeat', label: t('analytics.people.repeat'), value: repeat },
            ].map(({ part, label, value }) => (
              <button key={part} type="button" onClick={() => open('participant-insights', part)}>
                <span className={styles.figure}>{number(value)}</span> <span className={styles.dim}>{label}</span>{' '}
                <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
              </button>
            ))}
          </div>
          <Delta
            delta={before === 0 ? null : Math.round((1000 * (total - before)) / before) / 10}
            unit="percent"
            isNew
          />
          <h3 className={styles.heading}>{t('analytics.people.domains')}</h3>
          <ul className={styles.bars}>
            {domains.map(({ domain, meetings }) => (
              <li key={domain}>
                <span className={styles.name}>{domain}</span>
                <span className={`${styles.dim} hf-num`}>{t('analytics.people.meetings', { count: meetings })}</span>
                <span className={styles.track} aria-hidden="true">
                  <span style={{ width: `${(100 * meetings) / most}%` }} />
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </FigurePanel>
  );
}
