import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BarChart } from '#ui/bar-chart.tsx';
import { Button } from '#ui/button.tsx';
import { HeatGrid, HeatLegend } from '#ui/heat-grid.tsx';
import { PlainSelect } from '#ui/plain-field.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { shadeOf } from '../../rules/measures.ts';
import { useBoard } from '../board.ts';
import { type Dashboard, useSlots } from '../queries.ts';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import styles from './popular-slots.module.css';
import { useFigureText } from './use-figure-text.ts';

const DraftDialog = lazy(async () => ({ default: (await import('./draft-dialog.tsx')).DraftDialog }));

const heightPx = 192;
const zones = [
  { zone: 'UTC', name: 'utc' },
  { zone: 'America/New_York', name: 'eastern' },
  { zone: 'America/Los_Angeles', name: 'pacific' },
  { zone: 'Europe/London', name: 'london' },
] as const;

/** When people book: by hour, and by weekday and hour; and what it says about one's hours. */
export function PopularSlots({ usual }: { usual: Dashboard['popular_time_slots'] }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const { asked, view, search, set, open } = useBoard();
  const { number, hour: hourText, weekdays } = useFigureText();
  const [isDrafting, setDrafting] = useState(false);
  const other = useSlots(asked, view);
  const isOther = search.perspective !== undefined || search.timezone !== undefined;
  const slots = (isOther ? other.data?.data : undefined) ?? usual;
  const { heatmap, hour_histogram: histogram, top_slots: top, total } = slots;
  const most = Math.max(0, ...heatmap.flat().map(({ count }) => count));
  const bookings = (count: number) => t('analytics.slots.bookings', { count });
  const chosenZone = search.timezone ?? preferences.zone;
  const hours = Array.from({ length: 24 }, (_, hour) => hourText(hour));
  const title = t('analytics.slots.title');
  return (
    <FigurePanel
      panel="popular-time-slots"
      title={title}
      text={total === 0 ? null : t('analytics.slots.total', { count: total })}
      figures={{
        columns: [t('analytics.column.hour'), ...weekdays, t('analytics.column.all')],
        rows:
          total === 0
            ? []
            : histogram.map(({ hour, count }) => [
                hourText(hour),
                ...heatmap.map((row) => number(row[hour]?.count ?? 0)),
                number(count),
              ]),
      }}
    >
      <div className={styles.bar}>
        <PlainSelect
          data-choice
          aria-label={t('analytics.slots.perspective')}
          value={slots.perspective}
          onChange={(event) => set({ perspective: event.currentTarget.value === 'invitee' ? 'invitee' : undefined })}
          data={[
            { value: 'organizer', label: t('analytics.slots.organizer') },
            { value: 'invitee', label: t('analytics.slots.invitee') },
          ]}
        />
        <PlainSelect
          data-choice
          aria-label={t('analytics.slots.zone')}
          value={chosenZone}
          onChange={(event) => {
            const { value } = event.currentTarget;
            set({ timezone: value === preferences.zone ? undefined : value });
          }}
          data={[
            { value: preferences.zone, label: preferences.zone.replaceAll('_', ' ') },
            ...[...zones, ...(zones.some(({ zone }) => zone === chosenZone) ? [] : [{ zone: chosenZone, name: null }])]
              .filter(({ zone }) => zone !== preferences.zone)
              .map(({ zone, name }) => ({ value: zone, label: name === null ? zone : t(`analytics.zone.${name}`) })),
          ]}
        />
        <Button variant="default" disabled={total === 0} onClick={() => setDrafting(true)}>
          {t('analytics.slots.apply')}
        </Button>
      </div>
      {total === 0 ? (
        <div className={styles.place}>
          <PanelEmpty art="calendars" title={t('analytics.slots.empty')} text={t('analytics.slots.emptyText')} />
        </div>
      ) : (
        <>
          <ol className={styles.top} aria-label={t('analytics.slots.top')}>
            {top.map(({ hour, count }) => (
              <li key={hour}>
                <button type="button" onClick={() => open('popular-time-slots', String(hour))}>
                  <span className={styles.topHour}>{hourText(hour)}</span>{' '}
                  <span className={styles.dim}>{bookings(count)}</span>
                </button>
              </li>
            ))}
          </ol>
          <h3 className={styles.heading}>{t('analytics.slots.byHour')}</h3>
          <BarChart
            label={t('analytics.slots.byHour')}
            height={heightPx}
            bars={histogram.map(({ hour, count }) => ({
              key: String(hour),
              name: hours[hour] ?? '',
              value: count,
              text: `${hours[hour]}: ${bookings(count)}`,
              isTop: top.some((one) => one.hour === hour),
            }))}
          />
          <div className={styles.headings}>
            <h3 className={styles.heading}>{t('analytics.slots.byWeek')}</h3>
            <HeatLegend less={t('analytics.slots.less')} more={t('analytics.slots.more')} />
          </div>
          <HeatGrid
            label={t('analytics.slots.byWeek')}
            rows={weekdays}
            columns={hours}
            cells={heatmap.map((row, day) =>
              row.map(({ hour, count }) => ({
                shade: count === 0 ? 'none' : shadeOf(count / most),
                text: `${weekdays[day]} ${hours[hour]}: ${bookings(count)}`,
              })),
            )}
          />
        </>
      )}
      <Suspense>{isDrafting ? <DraftDialog onClose={() => setDrafting(false)} /> : null}</Suspense>
    </FigurePanel>
  );
}
