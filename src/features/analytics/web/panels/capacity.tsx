import { useTranslation } from 'react-i18next';
import { DonutChart } from '#ui/donut-chart.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { useBoard } from '../board.ts';
import { LinkButton } from '../link-button.ts';
import type { Dashboard } from '../queries.ts';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import styles from './parts.module.css';
import { useFigureText } from './use-figure-text.ts';

const bookedColor = 'var(--hf-series-1)';
const freeColor = 'var(--hf-shade-1)';

export function Capacity({ found }: { found: Dashboard['capacity_utilization'] }) {
  const { t } = useTranslation();
  const { open, versus } = useBoard();
  const { number, percent, signed, day } = useFigureText();
  const { hours_open: total, hours_available: available, hours_booked: booked, utilization_pct: used } = found;
  const title = t('analytics.capacity.title');
  const isKnown = used !== null && available !== null && booked !== null;
  const hours = (value: number | null) => t('analytics.capacity.hours', { hours: number(value) });
  const lines = [
    { key: 'booked', label: t('analytics.capacity.booked'), value: booked, color: bookedColor },
    { key: 'available', label: t('analytics.capacity.available'), value: available, color: freeColor },
    { key: 'open', label: t('analytics.capacity.open'), value: total, color: 'transparent' },
  ];
  return (
    <FigurePanel
      panel="capacity-utilization"
      title={title}
      figures={{
        columns: [title, t('analytics.column.value')],
        rows: isKnown
          ? [
              ...lines.map(({ label, value }) => [label, hours(value)]),
              [t('analytics.capacity.used'), percent(used)],
              [t('analytics.column.previous'), percent(found.previous_pct)],
            ]
          : [],
      }}
    >
      {isKnown ? (
        <div className={styles.ringed}>
          <DonutChart
            parts={[
              { key: 'booked', value: Math.min(booked, available), color: bookedColor },
              { key: 'free', value: Math.max(0, available - booked), color: freeColor },
            ]}
            label={`${title}: ${percent(used)}`}
            middle={percent(used)}
            under={t('analytics.capacity.used')}
          />
          <ul className={styles.legend}>
            {lines.map(({ key, label, value, color }) => (
              <li key={key}>
                <button type="button" data-legend={label} onClick={() => open('capacity-utilization')}>
                  <ColorMark color={color} />
                  <span className={styles.name}>{label}</span> <span className="hf-num">{hours(value)}</span>{' '}
                  <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
                </button>
              </li>
            ))}
            {found.previous_pct === null ? null : (
              <li className={styles.plain}>
                {t('analytics.delta.points', { delta: signed(used - found.previous_pct) })} {versus}
              </li>
            )}
          </ul>
        </div>
      ) : (
        <PanelEmpty
          title={t('analytics.capacity.empty')}
          action={
            <LinkButton to="/availability" variant="default" size="xs">
              {t('analytics.setAvailability')}
            </LinkButton>
          }
        />
      )}
      {isKnown && total !== null && total - available >= 0.05 ? (
        <p className={styles.foot}>
          {t('analytics.capacity.own', { own: number(Math.round(10 * (total - available)) / 10), open: number(total) })}
        </p>
      ) : null}
      {found.since === null ? null : <p className={styles.foot}>{t('analytics.since', { day: day(found.since) })}</p>}
    </FigurePanel>
  );
}
