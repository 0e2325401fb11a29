import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { ErrorState } from '#ui/error-state.tsx';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SidePanel } from '#ui/side-panel.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { funnelStages, type Panel, trendSeries } from '../../rules/measures.ts';
import { addUp } from '../add-up.ts';
import { useBoard } from '../board.ts';
import { csvAddress, type Explanation, useExplanation } from '../queries.ts';
import styles from './rows-panel.module.css';
import { useFigureText } from './use-figure-text.ts';
import { usePanelNames, usePartText } from './use-panel-names.ts';

/** How a figure is counted, and the rows that add up to it. */
export function RowsPanel({ panel, onClose }: { panel: Panel; onClose: () => void }) {
  const { t } = useTranslation();
  const { asked, view, search, rangeText } = useBoard();
  const { from: _from, to: _to, ...always } = asked;
  const isMonth = search.month === '1' && panel === 'conflict-prevention';
  // without days, preventions are this month's
  const range = isMonth ? always : asked;
  const found = useExplanation(panel, range, panel === 'popular-time-slots' ? view : {});
  const names = usePanelNames();
  const explanation = found.data?.explain;
  return (
    <SidePanel title={names[panel]} onClose={onClose}>
      <div className={styles.content}>
        <p className={styles.range}>{isMonth ? t('analytics.conflicts.month') : rangeText}</p>
        {explanation === undefined ? (
          found.error ? (
            <ErrorState title={t('analytics.rows.failed')} error={found.error} onRetry={() => void found.refetch()} />
          ) : (
            <SkeletonRows rows={6} label={t('analytics.loading')} />
          )
        ) : (
          <>
            <section>
              <h3>{t('analytics.panel.counted')}</h3>
              <p className={styles.definition}>{explanation.definition}</p>
            </section>
            <Rows panel={panel} explanation={explanation} />
            <ButtonAnchor variant="default" size="xs" href={csvAddress(panel, range, view, true)} download>
              {t('analytics.panel.csvRows')}
            </ButtonAnchor>
          </>
        )}
      </div>
    </SidePanel>
  );
}

type Row = Explanation['rows'][number];

function Rows({ panel, explanation }: { panel: Panel; explanation: Explanation }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const nowMs = useNowMs();
  const { search, set } = useBoard();
  const { exact } = useFigureText();
  const partText = usePartText(panel);
  // lines of a chart have no sum together
  const part = search.part ?? (panel === 'booking-trends' ? trendSeries[0] : undefined);
  const { rows, numerator, denominator } = addUp(panel, explanation, part);
  const { rest } = explanation;
  const parts = partsOf(panel, explanation);
  const figure = (n: number, d: number | null) =>
    d === null || d === 0 ? exact(n) : t('analytics.rows.of', { part: exact(n), whole: exact(d) });
  return (
    <section className={styles.rows}>
      <h3>{t('analytics.rows.title')}</h3>
      {parts.length > 1 || search.part !== undefined ? (
        <SelectField
          aria-label={t('analytics.rows.part')}
          value={part ?? ''}
          onChange={(event) => set({ part: event.currentTarget.value || undefined })}
          data={[
            ...(panel === 'booking-trends' ? [] : [{ value: '', label: t('analytics.rows.all') }]),
            ...[...new Set([...parts, ...(part === undefined ? [] : [part])])].map((value) => ({
              value,
              label: partText(value),
            })),
          ]}
        />
      ) : null}
      <p className={styles.sum}>
        <span>{t('analytics.rows.sum', { count: rows.length })}</span>
        <strong className="hf-num" data-sum>
          {figure(numerator, denominator)}
        </strong>
      </p>
      {rows.length === 0 ? (
        <p className={styles.definition}>{t('analytics.rows.none')}</p>
      ) : (
        <ul className={styles.list}>
          {rows.map((row) => {
            const atMs = row.at === null ? null : msOfInstant(row.at);
            return (
              <li key={`${row.id} ${row.part} ${row.at}`}>
                <span className={styles.what}>
                  <RowName row={row}>{row.title ?? t(`analytics.rows.kind.${row.kind}`)}</RowName>
                  <span className={styles.more}>
                    {[
                      row.with,
                      atMs === null
                        ? null
                        : row.kind === 'day'
                          ? formatDay(atMs, preferences, nowMs)
                          : `${formatDay(atMs, preferences, nowMs)}, ${formatTime(atMs, preferences)}`,
                      partText(row.part),
                    ]
                      .filter((one) => one !== null)
                      .join(' · ')}
                  </span>
                </span>
                <span className="hf-num">{figure(row.numerator, row.denominator)}</span>
              </li>
            );
          })}
        </ul>
      )}
      {rest.rows === 0 ? null : (
        <p className={styles.definition}>
          {t('analytics.rows.rest', {
            count: rest.rows,
            sum: figure(rest.numerator, denominator === null ? null : rest.denominator),
          })}
        </p>
      )}
    </section>
  );
}

/** Leads on to what the row is of, where it is something that opens. */
function RowName({ row, children }: { row: Row; children: ReactNode }) {
  const { search } = useBoard();
  const place = placeOf(row, search.team);
  return place === null ? (
    <span className={styles.name}>{children}</span>
  ) : (
    <Link {...(place as LinkProps)} className={styles.name}>
      {children}
    </Link>
  );
}

function placeOf({ kind, id, booking_id: booking, event_id: event }: Row, teamId: string | undefined) {
  if (booking !== null)
    return teamId === undefined
      ? { to: '/meetings', search: { booking } }
      : { to: '/meetings/team/$teamId', params: { teamId }, search: { booking } };
  if (event !== null) return { to: '/calendar', search: { event } };
  if (kind === 'day') return { to: '/calendar', search: { day: id } };
  return kind === 'calendar' ? { to: '/integrations' } : null;
}

/** Parts to choose from, in their own order if they have one. */
function partsOf(panel: Panel, { rows }: Explanation): readonly string[] {
  if (panel === 'booking-trends') return trendSeries;
  if (panel === 'funnel') return funnelStages;
  const parts = [...new Set(rows.map(({ part }) => part))].sort();
  return panel === 'participant-insights' ? ['new', 'repeat', ...parts] : parts;
}
