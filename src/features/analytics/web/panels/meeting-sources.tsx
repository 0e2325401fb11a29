import { useTranslation } from 'react-i18next';
import { DonutChart } from '#ui/donut-chart.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { useBoard } from '../board.ts';
import { CreateType } from '../create-type.tsx';
import type { Dashboard } from '../queries.ts';
import { Delta } from './delta.tsx';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import styles from './parts.module.css';
import { useFigureText } from './use-figure-text.ts';

const colors: Record<Dashboard['meeting_sources']['sources'][number]['source'], string> = {
  direct: 'var(--hf-provider-own)',
  google: 'var(--hf-provider-google)',
  outlook: 'var(--hf-provider-outlook)',
  icloud: 'var(--hf-provider-icloud)',
  exchange: 'var(--hf-provider-exchange)',
  other: 'var(--hf-provider-other)',
};

export function MeetingSources({ found }: { found: Dashboard['meeting_sources'] }) {
  const { t } = useTranslation();
  const { open } = useBoard();
  const { number, share, day } = useFigureText();
  const { total, previous_total: previous, since } = found;
  const sources = found.sources.filter(({ count }) => count > 0);
  const title = t('analytics.sources.title');
  return (
    <FigurePanel
      panel="meeting-sources"
      title={title}
      text={total === 0 ? null : t('analytics.sources.all')}
      figures={{
        columns: [t('analytics.column.source'), t('analytics.column.meetings'), t('analytics.column.share')],
        rows: total === 0 ? [] : sources.map(({ label, count }) => [label, number(count), share(count, total)]),
      }}
    >
      {total === 0 ? (
        <PanelEmpty title={t('analytics.sources.empty')} action={<CreateType variant="default" />} />
      ) : (
        <div className={styles.ringed}>
          <DonutChart
            parts={sources.map(({ source, count }) => ({ key: source, value: count, color: colors[source] }))}
            label={`${title}: ${sources.map(({ label, count }) => `${label} ${share(count, total)}`).join(', ')}`}
            middle={number(total)}
            under={t('analytics.sources.meetings', { count: total })}
          />
          <ul className={styles.legend}>
            {sources.map(({ source, label, count }) => (
              <li key={source}>
                <button type="button" data-legend={label} onClick={() => open('meeting-sources', source)}>
                  <ColorMark color={colors[source]} />
                  <span className={styles.name}>{label}</span> <span className="hf-num">{number(count)}</span>{' '}
                  <span className={`${styles.dim} hf-num`}>{share(count, total)}</span>{' '}
                  <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {previous === null || total === 0 ? null : (
        <div className={styles.foot}>
          <Delta
            delta={previous === 0 ? null : Math.round((1000 * (total - previous)) / previous) / 10}
            unit="percent"
            isNew
          />
        </div>
      )}
      {since === null ? null : <p className={styles.foot}>{t('analytics.since', { day: day(since) })}</p>}
    </FigurePanel>
  );
}
