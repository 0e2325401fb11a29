import { type ReactNode, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChartFigures } from '#ui/chart-table.tsx';
import { Sparkline } from '#ui/line-chart.tsx';
import type { Panel } from '../../rules/measures.ts';
import { useBoard } from '../board.ts';
import type { Dashboard } from '../queries.ts';
import { Delta } from './delta.tsx';
import { PanelMore } from './panel-more.tsx';
import styles from './summary-cards.module.css';
import { useFigureText } from './use-figure-text.ts';

interface CardProps {
  panel: Panel;
  title: string;
  /** Null: not known; `because` says why. */
  value: string | null;
  because?: string;
  delta: ReactNode;
  note: ReactNode;
  line?: { values: readonly (number | null)[]; label: string };
  figures: ChartFigures;
}

/** One figure, how it moved, and the shape of it. The figure opens the rows that make it. */
function SummaryCard({ panel, title, value, because, delta, note, line, figures }: CardProps) {
  const { t } = useTranslation();
  const { open } = useBoard();
  const { unknown } = useFigureText();
  const titleId = useId();
  const frame = useRef<HTMLElement>(null);
  return (
    <section ref={frame} className={styles.card} data-panel={panel} aria-labelledby={titleId}>
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <PanelMore panel={panel} title={title} figures={figures} frame={frame} />
      </div>
      <div className={styles.figure}>
        <button type="button" className={styles.value} onClick={() => open(panel)}>
          {value ?? unknown}
          <span className="hf-sr-only"> {t('analytics.panel.rows')}</span>
        </button>
        {line === undefined || value === null ? null : (
          <span className={styles.line}>
            <Sparkline values={line.values} label={line.label} />
          </span>
        )}
      </div>
      {value === null ? <p className={styles.note}>{because}</p> : delta}
      <p className={styles.note}>{note}</p>
    </section>
  );
}

export function SummaryCards({ data }: { data: Dashboard }) {
  const { t } = useTranslation();
  const { number, percent } = useFigureText();
  const {
    total_meetings: total,
    no_show_rate: noShow,
    avg_booking_time: lead,
    conversion_rate: conversion,
    booking_trends: trends,
  } = data;
  const valuesOf = (name: keyof typeof trends.series) => trends.series[name].map(({ y }) => y);
  const rate = t('analytics.column.share');
  const isQuiet = total.value + total.previous + total.held + total.upcoming === 0;
  const before = t('analytics.column.previous');
  return (
    <>
      <SummaryCard
        panel="total-meetings"
        title={t('analytics.kpi.total')}
        value={number(total.value)}
        delta={isQuiet ? null : <Delta delta={total.delta_pct} unit="percent" isNew={total.value > 0} />}
        note={
          isQuiet
            ? data.meeting_sources.total === 0
              ? t('analytics.kpi.noBookings')
              : t('analytics.kpi.onlyCalendars', { count: data.meeting_sources.total })
            : t('analytics.kpi.heldUpcoming', { held: number(total.held), upcoming: number(total.upcoming) })
        }
        {...(isQuiet
          ? {}
          : {
              line: {
                values: valuesOf('bookings_created'),
                label: t('analytics.kpi.shape', { line: t('analytics.series.bookings_created') }),
              },
            })}
        figures={{
          columns: [t('analytics.kpi.total'), t('analytics.column.value')],
          rows: [
            [t('analytics.series.bookings_created'), number(total.value)],
            [before, number(total.previous)],
            [t('analytics.kpi.held'), number(total.held)],
            [t('analytics.kpi.upcoming'), number(total.upcoming)],
          ],
        }}
      />
      <SummaryCard
        panel="no-show-rate"
        title={t('analytics.kpi.noShow')}
        value={noShow.value_pct === null ? null : percent(noShow.value_pct)}
        because={t('analytics.kpi.noCompleted')}
        delta={<Delta delta={noShow.delta_pct} unit="points" upIsBad />}
        note={
          noShow.value_pct === null
            ? null
            : t('analytics.kpi.noShowOf', { part: number(noShow.numerator), whole: number(noShow.denominator) })
        }
        line={{
          values: valuesOf('no_shows'),
          label: t('analytics.kpi.shape', { line: t('analytics.series.no_shows') }),
        }}
        figures={{
          columns: [t('analytics.kpi.noShow'), t('analytics.column.value')],
          rows: [
            [t('analytics.series.no_shows'), number(noShow.numerator)],
            [t('analytics.kpi.completed'), number(noShow.denominator)],
            [rate, percent(noShow.value_pct)],
            [before, percent(noShow.previous_pct)],
            [t('analytics.kpi.hostNoShows'), number(noShow.host_no_shows)],
          ],
        }}
      />
      <SummaryCard
        panel="avg-booking-time"
        title={t('analytics.kpi.lead')}
        value={lead.value_days === null ? null : t('analytics.kpi.days', { days: number(lead.value_days) })}
        because={t('analytics.kpi.noBookings')}
        delta={<Delta delta={lead.delta_days} unit="days" upIsBad />}
        note={lead.value_days === null ? null : t('analytics.kpi.leadOf', { count: lead.bookings })}
        line={{
          values: valuesOf('avg_lead_time_days'),
          label: t('analytics.kpi.shape', { line: t('analytics.series.avg_lead_time_days') }),
        }}
        figures={{
          columns: [t('analytics.kpi.lead'), t('analytics.column.value')],
          rows: [
            [t('analytics.series.avg_lead_time_days'), number(lead.value_days)],
            [before, number(lead.previous_days)],
            [t('analytics.series.bookings_created'), number(lead.bookings)],
          ],
        }}
      />
      <SummaryCard
        panel="conversion-rate"
        title={t('analytics.kpi.conversion')}
        value={conversion === null || conversion.value_pct === null ? null : percent(conversion.value_pct)}
        because={conversion === null ? t('analytics.kpi.notRecorded') : t('analytics.kpi.noRequests')}
        delta={<Delta delta={conversion?.delta_pct ?? null} unit="points" />}
        note={
          conversion === null || conversion.value_pct === null
            ? null
            : t('analytics.kpi.conversionOf', {
                part: number(conversion.numerator),
                whole: number(conversion.denominator),
              })
        }
        figures={{
          columns: [t('analytics.kpi.conversion'), t('analytics.column.value')],
          rows: [
            [t('analytics.kpi.confirmed'), number(conversion?.numerator ?? null)],
            [t('analytics.kpi.requests'), number(conversion?.denominator ?? null)],
            [rate, percent(conversion?.value_pct ?? null)],
            [before, percent(conversion?.previous_pct ?? null)],
          ],
        }}
      />
    </>
  );
}
