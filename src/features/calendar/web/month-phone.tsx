import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Fragment, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import { AgendaDay } from './agenda-day.tsx';
import { cardWords } from './card-words.ts';
import { useSwipeBeyond } from './grid-motion.ts';
import { listAgenda } from './list-agenda.ts';
import styles from './month-phone.module.css';
import type { MonthViewProps } from './month-view.tsx';
import { placesTo } from './place-month.ts';
import { weekNumber } from './shown-range.ts';
import { useConflictWords } from './use-conflict-words.ts';
import { useRovingList } from './use-roving-list.ts';
import { ViewCard } from './view-card.tsx';
import { wallTime } from './wall-clock.ts';

/** A month on a phone: the days with dots of what they hold, and the agenda of the one that was tapped. */
export function MonthPhone(props: MonthViewProps) {
  const { events, zone, weeks, month, day, nowMs, labels, slimMirrors, onStep } = props;
  const { t } = useTranslation();
  const words = useMemo(() => cardWords(t), [t]);
  const conflictOf = useConflictWords(props.conflicts, props.titleOf);
  const days = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const now = wallTime(zone, nowMs);
  const firstDay = weeks[0]?.firstDay ?? day;
  const last = weeks.at(-1);
  const dayCount = last === undefined ? 1 : last.firstDay + last.dayCount - firstDay;
  // The tapped day may be a Saturday that the weeks leave out.
  const [from, to] = [Math.min(firstDay, day), Math.max(firstDay + dayCount, day + 1)];
  const entriesOf = useMemo(() => {
    const sections = listAgenda(
      events,
      { firstDay: from, dayCount: to - from },
      { zone, today: now.dayNumber, slimMirrors },
    );
    return new Map(sections.flatMap((one) => (one.kind === 'day' ? [[one.dayNumber, one] as const] : [])));
  }, [events, from, to, zone, now.dayNumber, slimMirrors]);
  useSwipeBeyond(days, onStep);
  const roving = useRovingList(root);
  const chosen = entriesOf.get(day);
  return (
    <section className={styles.month} aria-label={t('calendar.gridLabel')} aria-busy={props.loading || undefined}>
      <div ref={days} className={styles.days} style={{ gridTemplateRows: `auto repeat(${weeks.length}, auto)` }}>
        <IconButton label={t('calendar.previous.month')} onClick={() => onStep(-1)}>
          <IconChevronLeft size={18} aria-hidden />
        </IconButton>
        {weeks[0] === undefined
          ? null
          : placesTo(weeks[0].dayCount).map((column) => (
              <span key={column} className={styles.letter} style={{ gridColumn: column + 2 }} aria-hidden="true">
                {labels.weekdayLetter(firstDay + column)}
              </span>
            ))}
        <IconButton label={t('calendar.next.month')} onClick={() => onStep(1)}>
          <IconChevronRight size={18} aria-hidden />
        </IconButton>
        {weeks.map((week, row) => (
          <Fragment key={week.firstDay}>
            {props.weekNumbers ? (
              <span className={styles.weekNumber} style={{ gridRow: row + 2 }}>
                <span aria-hidden="true">{weekNumber(week)}</span>
                <span className="hf-sr-only">{t('calendar.weekNumber', { week: weekNumber(week) })}</span>
              </span>
            ) : null}
            {placesTo(week.dayCount).map((column) => {
              const dayNumber = week.firstDay + column;
              const section = entriesOf.get(dayNumber);
              const count = (section?.entries.length ?? 0) + (section?.mirrors.length ?? 0);
              const isOutside = dayNumber < month.firstDay || dayNumber >= month.firstDay + month.dayCount;
              const colors = [...new Set(section?.entries.map(({ event }) => event.color))].slice(0, 3);
              return (
                <button
                  key={column}
                  type="button"
                  className={styles.day}
                  style={{ gridRow: row + 2, gridColumn: column + 2 }}
                  data-outside={isOutside || undefined}
                  data-today={dayNumber === now.dayNumber || undefined}
                  aria-current={dayNumber === now.dayNumber ? 'date' : undefined}
                  aria-pressed={dayNumber === day}
                  onClick={() => props.onDay(dayNumber)}
                >
                  <span className={styles.date} aria-hidden="true">
                    {labels.dayOfMonth(dayNumber)}
                  </span>
                  <span className={styles.dots} aria-hidden="true">
                    {colors.map((color) => (
                      <i key={color} style={{ background: color }} />
                    ))}
                  </span>
                  <span className="hf-sr-only">
                    {labels.longDay(dayNumber)}, {t('calendar.eventCount', { count })}
                  </span>
                </button>
              );
            })}
          </Fragment>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons inside */}
      <div ref={root} className={styles.agenda} onKeyDown={roving.onKeyDown} onFocus={roving.onFocus}>
        {props.loading ? (
          <span className={styles.ghost} aria-hidden="true" />
        ) : (
          <AgendaDay
            dayNumber={day}
            entries={chosen?.entries ?? []}
            mirrors={chosen?.mirrors ?? []}
            isThinned={props.isThinned}
            place={0}
            now={now}
            nowMs={nowMs}
            labels={labels}
            words={words}
            conflictOf={conflictOf}
          />
        )}
      </div>
      <ViewCard
        root={root}
        events={events}
        behind={() => ({ dayNumber: day, events: chosen?.mirrors ?? [] })}
        zone={zone}
        labels={labels}
        words={words}
        conflictOf={conflictOf}
        renderMirrors={props.renderMirrors}
      />
    </section>
  );
}
