import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChartLine, LineChart, LineMark } from '#ui/line-chart.tsx';
import { type TrendSeries, trendSeries } from '../../rules/measures.ts';
import type { Dashboard } from '../queries.ts';
import styles from './booking-trends.module.css';
import { Delta } from './delta.tsx';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import { useFigureText } from './use-figure-text.ts';

const shownFirst: readonly TrendSeries[] = ['bookings_created', 'meetings_held'];
const heightPx = 320;

export function BookingTrends({ trends }: { trends: Dashboard['booking_trends'] }) {
  const { t } = useTranslation();
  const { number, bucket, wholeBucket } = useFigureText();
  const [shown, setShown] = useState(shownFirst);
  const { granularity, series } = trends;
  const days = series.bookings_created.map(({ x }) => x);
  const all = trendSeries.map(
    (name, n): ChartLine => ({
      key: name,
      label: t(`analytics.series.${name}`),
      tone: (n + 1) as ChartLine['tone'],
      values: series[name].map(({ y }) => y),
      onRight: name === 'avg_lead_time_days',
    }),
  );
  const lines = all.filter(({ key }) => shown.some((name) => name === key));
  const isEmpty = all.every(({ values }) => values.every((value) => value === null || value === 0));
  const title = t('analytics.trends.title');
  return (
    <FigurePanel
      panel="booking-trends"
      title={title}
      text={
        isEmpty ? null : (
          <>
            {t(`analytics.granularity.${granularity}`)} · {t('analytics.trends.total', { count: trends.total_events })}
          </>
        )
      }
      figures={{
        columns: [t('analytics.column.day'), ...all.map(({ label }) => label)],
        rows: isEmpty
          ? []
          : days.map((day, at) => [
              wholeBucket(day, granularity),
              ...all.map(({ values }) => number(values[at] ?? null)),
            ]),
      }}
    >
      {isEmpty ? (
        <div className={styles.place}>
          <PanelEmpty art="meetings" title={t('analytics.trends.empty')} text={t('analytics.trends.emptyText')} />
        </div>
      ) : (
        <>
          <fieldset className={styles.chips}>
            <legend className="hf-sr-only">{t('analytics.trends.lines')}</legend>
            {all.map(({ key, label, tone }) => {
              const isOn = shown.some((name) => name === key);
              return (
                <button
                  key={key}
                  type="button"
                  className={styles.chip}
                  aria-pressed={isOn}
                  data-legend={isOn ? label : undefined}
                  onClick={() => setShown(isOn ? shown.filter((name) => name !== key) : [...shown, key as TrendSeries])}
                >
                  <LineMark tone={tone} />
                  {label}
                </button>
              );
            })}
          </fieldset>
          <LineChart
            label={title}
            lines={lines}
            names={days.map((day) => bucket(day, granularity))}
            titles={days.map((day) => wholeBucket(day, granularity))}
            valueText={number}
            height={heightPx}
          />
          <div className={styles.foot}>
            <Delta delta={trends.delta_pct} unit="percent" isNew={trends.total_events > 0} />
          </div>
        </>
      )}
    </FigurePanel>
  );
}
