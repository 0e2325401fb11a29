import { IconFlame } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useHoldDesk } from '#ui/hold-desk.ts';
import { shadeOf } from '../../rules/measures.ts';
import type { Dashboard } from '../queries.ts';
import { FigurePanel, PanelEmpty } from './figure-panel.tsx';
import styles from './forecast.module.css';
import { useFigureText } from './use-figure-text.ts';

/** The forecast by day: more meetings make a darker cell. */
export function Forecast({ found }: { found: Dashboard['meeting_forecast'] }) {
  const { t } = useTranslation();
  const { number, wholeDay, weekdays } = useFigureText();
  const openHold = useHoldDesk();
  const { forecast, busy_days: busy } = found;
  const days = forecast ?? [];
  return (
    <FigurePanel
      panel="meeting-forecast"
      title={t('analytics.forecast.title')}
      text={t('analytics.forecast.text')}
      figures={{
        columns: [t('analytics.column.day'), t('analytics.forecast.expected'), t('analytics.forecast.scheduled')],
        rows: days.map((one) => [wholeDay(one.date), number(one.expected_meetings), number(one.scheduled)]),
      }}
    >
      {forecast === null ? (
        <PanelEmpty title={t('analytics.forecast.empty')} />
      ) : (
        <>
          <ol className={styles.days}>
            {forecast.map(({ date, expected_meetings: expected, scheduled, ratio, busy: isBusy }) => {
              const day = Temporal.PlainDate.from(date);
              return (
                <li key={date} data-shade={expected === 0 ? 'none' : shadeOf(ratio)} data-busy={isBusy || undefined}>
                  <span className="hf-sr-only">
                    {t('analytics.forecast.day', {
                      day: wholeDay(date),
                      expected: number(expected),
                      scheduled: number(scheduled),
                    })}
                  </span>
                  <span aria-hidden="true" className={styles.date}>
                    {weekdays[day.dayOfWeek - 1]} {day.day}
                  </span>
                  <span aria-hidden="true" className={styles.expected}>
                    {number(expected)}
                  </span>
                </li>
              );
            })}
          </ol>
          {busy === 0 ? null : (
            <p className={styles.busy}>
              <IconFlame size={16} aria-hidden />
              <span>{t('analytics.forecast.busy', { count: busy })}</span>
              {openHold === null ? null : (
                <button
                  type="button"
                  className={styles.hold}
                  onClick={() => openHold({ kind: 'new', title: t('analytics.forecast.focus') })}
                >
                  {t('analytics.forecast.block')}
                </button>
              )}
            </p>
          )}
        </>
      )}
    </FigurePanel>
  );
}
