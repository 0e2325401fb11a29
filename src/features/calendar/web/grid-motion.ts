import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { readingDirection } from '#ui/dates/reading-direction.ts';

type Scroller = RefObject<HTMLElement | null>;

const dayStartMinute = 8 * 60;

export interface ScrollGoal {
  ready: boolean;
  /** A new number asks again. */
  key: number;
  hourPx: number;
  dayCount: number;
  /** Column of today; outside 0..dayCount when it is not in view. */
  nowColumn: number;
  nowMinute: number;
  /** Earliest event in view. */
  firstMinute: number | undefined;
}

/**
 * At the start, when events arrive, and whenever `key` changes: now stands a good third down the window, or else the
 * first event, or the morning, under the head. Now's place does not depend on the all-day row, so nothing jumps when
 * that row arrives. Later weeks keep the hours that the person chose.
 */
export function useScrollToNow(scroller: Scroller, goal: ScrollGoal): void {
  const done = useRef<ScrollGoal & { top: number }>(undefined);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const last = done.current;
    // a person who scrolled or pressed an hour before the events came has chosen a position
    const hasChosen = () => last?.top !== element.scrollTop || element.contains(document.activeElement);
    if (last?.key === goal.key && (last.ready || !goal.ready || hasChosen())) return;
    const seesToday = goal.nowColumn >= 0 && goal.nowColumn < goal.dayCount;
    const headPx = element.querySelector('[data-head]')?.getBoundingClientRect().height ?? 0;
    const minute = seesToday ? goal.nowMinute : (goal.firstMinute ?? dayStartMinute);
    const yPx = seesToday ? Math.max(headPx + 40, element.clientHeight * 0.38) : headPx + goal.hourPx / 2;
    element.scrollTop = headPx + (minute / 60) * goal.hourPx - yPx;
    if (seesToday) element.scrollLeft = leftOf(element, Math.max(0, goal.nowColumn - 1));
    done.current = { ...goal, top: element.scrollTop };
  });
}

/** Where the scroller stands when a column is the first in view; negative where days run to the left. */
function leftOf(element: HTMLElement, column: number): number {
  const days = element.querySelectorAll<HTMLElement>('[data-day]');
  return (days[column]?.offsetLeft ?? 0) - (days[0]?.offsetLeft ?? 0);
}

export function scrollToColumn(scroller: Scroller, column: number): void {
  const element = scroller.current;
  if (element === null) return;
  const behavior = window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
  element.scrollTo({ left: leftOf(element, column), behavior });
}

/** Tells which column is the first in view while the grid scrolls sideways. */
export function useFirstColumn(scroller: Scroller, onColumn: ((column: number) => void) | undefined): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null || onColumn === undefined) return;
    const tell = () => {
      const dayPx = element.querySelector<HTMLElement>('[data-day]')?.offsetWidth ?? 0;
      if (dayPx > 0) onColumn(Math.round(Math.abs(element.scrollLeft) / dayPx));
    };
    tell();
    element.addEventListener('scroll', tell, { passive: true });
    return () => element.removeEventListener('scroll', tell);
  }, [scroller, onColumn]);
}

/** A change of week slides in from the side it comes from, 16 px. */
export function useSlide(scroller: Scroller, firstDay: number): void {
  const before = useRef(firstDay);
  useLayoutEffect(() => {
    const element = scroller.current;
    const direction = Math.sign(firstDay - before.current);
    before.current = firstDay;
    if (element === null || direction === 0) return;
    // on a phone the new week begins where the swipe continues: its first day forward, its last day back
    element.scrollLeft = direction > 0 ? 0 : leftOf(element, element.querySelectorAll('[data-day]').length - 1);
    if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const fromPx = 16 * direction * readingDirection(element);
    element.querySelector('[data-days]')?.animate(
      [
        { opacity: 0, transform: `translateX(${fromPx}px)` },
        { opacity: 1, transform: 'none' },
      ],
      { duration: 180, easing: 'cubic-bezier(0.2, 0, 0, 1)' },
    );
  }, [scroller, firstDay]);
}

const swipePx = 60;

/** A horizontal swipe that begins at the edge of what can be scrolled asks for the week beyond. */
export function useSwipeBeyond(scroller: Scroller, onBeyond: (direction: -1 | 1) => void): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let start: { x: number; y: number; atStart: boolean; atEnd: boolean } | undefined;
    const onStart = (event: TouchEvent) => {
      const touch = event.touches[0];
      start =
        event.touches.length === 1 && touch !== undefined
          ? {
              x: touch.clientX,
              y: touch.clientY,
              atStart: Math.abs(element.scrollLeft) <= 1,
              atEnd: Math.abs(element.scrollLeft) >= element.scrollWidth - element.clientWidth - 1,
            }
          : undefined;
    };
    const onEnd = (event: TouchEvent) => {
      const touch = event.changedTouches[0];
      // Prevented: it was a drag.
      if (start === undefined || touch === undefined || event.defaultPrevented) return;
      const dx = (touch.clientX - start.x) * readingDirection(element);
      const dy = touch.clientY - start.y;
      if (Math.abs(dx) > swipePx && Math.abs(dx) > 2 * Math.abs(dy)) {
        if (dx > 0 && start.atStart) onBeyond(-1);
        if (dx < 0 && start.atEnd) onBeyond(1);
      }
      start = undefined;
    };
    element.addEventListener('touchstart', onStart, { passive: true });
    element.addEventListener('touchend', onEnd, { passive: true });
    return () => {
      element.removeEventListener('touchstart', onStart);
      element.removeEventListener('touchend', onEnd);
    };
  }, [scroller, onBeyond]);
}
