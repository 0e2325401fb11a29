import { type ReactNode, type RefObject, type UIEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Zone } from '#kernel/time/zones.ts';
import { Button } from '#ui/button.tsx';
import { AgendaDay } from './agenda-day.tsx';
import styles from './agenda-view.module.css';
import { cardWords } from './card-words.ts';
import type { EventMark } from './find-conflicts.ts';
import type { GridEvent } from './grid-event.ts';
import { type AgendaSection, listAgenda } from './list-agenda.ts';
import type { ShownDays } from './shown-range.ts';
import type { TimeLabels } from './time-labels.ts';
import { useConflictWords } from './use-conflict-words.ts';
import { useRovingList } from './use-roving-list.ts';
import { ViewCard } from './view-card.tsx';
import { wallTime } from './wall-clock.ts';

export interface AgendaViewProps {
  events: readonly GridEvent[];
  conflicts: ReadonlyMap<string, EventMark>;
  titleOf: (eventId: string) => string | undefined;
  zone: Zone;
  days: ShownDays;
  /** The day that the agenda was opened on. */
  day: number;
  nowMs: number;
  labels: TimeLabels;
  slimMirrors: boolean;
  /** Search or filter leave events out: a day that shows none need not be free. */
  isThinned: boolean;
  loading: boolean;
  /** Changes when the person asks for now ("Today"). */
  scrollKey: number;
  onDay: (dayNumber: number) => void;
  onEarlier: () => void;
  onLater: () => void;
  renderMirrors: (event: GridEvent) => ReactNode;
}

/** A list of days with their events; scrolling loads more in both directions. */
export function AgendaView(props: AgendaViewProps) {
  const { events, zone, day, nowMs, labels, loading, slimMirrors } = props;
  const days = useLoadedDays(props.days, day, loading);
  const { t } = useTranslation();
  const words = useMemo(() => cardWords(t), [t]);
  const conflictOf = useConflictWords(props.conflicts, props.titleOf);
  const root = useRef<HTMLDivElement>(null);
  const lastTop = useRef(0);
  const now = wallTime(zone, nowMs);
  const sections = useMemo(
    () => listAgenda(events, days, { zone, today: now.dayNumber, slimMirrors }),
    [events, days, zone, now.dayNumber, slimMirrors],
  );

  const roving = useRovingList(root);
  useKeptPlace(root, { day, scrollKey: props.scrollKey, firstDay: days.firstDay });
  // Near an end the weeks beyond it are fetched; only a scroll asks, or an empty future would be asked for without end.
  const onScroll = (event: UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
    const isDown = scrollTop > lastTop.current;
    lastTop.current = scrollTop;
    if (loading) return;
    if (isDown && scrollHeight - clientHeight - scrollTop < nearPx) props.onLater();
    if (!isDown && scrollTop < nearPx / 4) props.onEarlier();
  };

  return (
    <section className={styles.agenda} aria-label={t('calendar.gridLabel')} aria-busy={loading || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for the buttons inside */}
      <div ref={root} className={styles.list} onScroll={onScroll} onKeyDown={roving.onKeyDown} onFocus={roving.onFocus}>
        <div className={styles.beyond}>
          <Button variant="default" size="xs" onClick={props.onEarlier}>
            {t('agenda.showEarlier')}
          </Button>
        </div>
        {loading && events.length === 0 ? (
          <AgendaSkeleton />
        ) : (
          sections.map((section) =>
            section.kind === 'empty' ? (
              <p key={section.firstDay} className={styles.empty} data-agenda-day={section.firstDay}>
                {section.firstDay === section.lastDay
                  ? t(props.isThinned ? 'agenda.noMatchDay' : 'agenda.emptyDay', {
                      day: labels.longDay(section.firstDay),
                    })
                  : t(props.isThinned ? 'agenda.noMatchDays' : 'agenda.emptyDays', {
                      from: labels.longDay(section.firstDay),
                      to: labels.longDay(section.lastDay),
                    })}
              </p>
            ) : (
              <AgendaDay
                key={section.dayNumber}
                dayNumber={section.dayNumber}
                entries={section.entries}
                mirrors={section.mirrors}
                isThinned={props.isThinned}
                place={section.dayNumber - days.firstDay}
                now={now}
                nowMs={nowMs}
                labels={labels}
                words={words}
                conflictOf={conflictOf}
                onDay={props.onDay}
              />
            ),
          )
        )}
        <div className={styles.beyond}>
          <Button variant="default" size="xs" onClick={props.onLater}>
            {t('agenda.showLater')}
          </Button>
        </div>
      </div>
      <ViewCard
        root={root}
        events={events}
        behind={(chip) => mirrorsBehind(chip, sections)}
        zone={zone}
        labels={labels}
        words={words}
        conflictOf={conflictOf}
        renderMirrors={props.renderMirrors}
      />
    </section>
  );
}

/** The blocks of the day whose chip was pressed. */
function mirrorsBehind(chip: HTMLElement, sections: readonly AgendaSection[]) {
  const dayNumber = Number(chip.dataset.more);
  const section = sections.find((one) => one.kind === 'day' && one.dayNumber === dayNumber);
  return { dayNumber, events: section?.kind === 'day' ? section.mirrors : [] };
}

/** Days whose events are not here yet are not called empty: they are shown once their answer is here. */
function useLoadedDays(days: ShownDays, day: number, loading: boolean): ShownDays {
  const loaded = useRef<{ day: number; days: ShownDays }>(undefined);
  if (!loading) loaded.current = { day, days };
  return loaded.current?.day === day ? loaded.current.days : days;
}

/** Another day begins at its top; earlier weeks come above what is in view without moving it. */
function useKeptPlace(root: RefObject<HTMLElement | null>, goal: { day: number; scrollKey: number; firstDay: number }) {
  const before = useRef<typeof goal & { height: number }>(undefined);
  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const last = before.current;
    const height = element.scrollHeight;
    const isThere = last?.day === goal.day && last.scrollKey === goal.scrollKey;
    if (!isThere) {
      const first = element.querySelector(`[data-agenda-day="${goal.day}"]`);
      // events that are not loaded yet are scrolled to once they are
      if (first === null) return;
      element.scrollTop += first.getBoundingClientRect().top - element.getBoundingClientRect().top;
    } else if (goal.firstDay < last.firstDay) element.scrollTop += height - last.height;
    before.current = { ...goal, height };
  });
}

/** So far from an end that its weeks are here before one gets there. */
const nearPx = 800;

const ghosts = [1, 2, 3, 4, 5];

function AgendaSkeleton() {
  return (
    <div aria-hidden="true">
      {ghosts.map((ghost) => (
        <div key={ghost} className={styles.day}>
          <span className={styles.ghost} />
          <span className={styles.ghost} data-wide />
        </div>
      ))}
    </div>
  );
}
