import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { dropTabStops, kindOf, logicalKey, readStop, type StopKind, stopNear, stopToward } from './roving-focus.ts';

export interface GridFocusOptions {
  dayCount: number;
  /** Where the slot cursor begins, if that is in view; else at the first day. */
  nowColumn: number;
  nowMinute: number;
  onBeyond: (direction: -1 | 1) => void;
}

/**
 * The grid is one tab stop with two layers, the empty slots and the events: Tab goes from an hour to what happens then
 * and on out of the grid, Shift+Tab back. Arrows travel among the slots, into the next week too, or among the events.
 */
export function useGridFocus(root: RefObject<HTMLElement | null>, options: GridFocusOptions) {
  const { dayCount, nowColumn, nowMinute, onBeyond } = options;
  /** What had the focus last. It may be gone by now, and says what it was: a move draws an event anew in another column. */
  const last = useRef<HTMLElement>(undefined);
  /** An event that is away, as one is for a moment that gets another id, and the hour that stands in for it until then. */
  const away = useRef<{ event: HTMLElement; hour: HTMLElement }>(undefined);
  /** Whether its person left it there, or took it elsewhere. */
  const isHere = useRef(false);

  const follow = (target: HTMLElement) => {
    if (root.current === null || kindOf(target) === undefined) return;
    dropTabStops(root.current, '[data-column]');
    target.tabIndex = 0;
    last.current = target;
  };

  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const active = document.activeElement as HTMLElement | null;
    const back = away.current && findEvent(element, away.current.event);
    // It may have moved under the focus. Or a dialog has that meanwhile, and will give it back to the tab stop.
    const here = back ?? (element.contains(active) ? active : last.current && findAgain(element, last.current));
    if (here) {
      const before = last.current;
      follow(here);
      if (back !== undefined) away.current = undefined;
      else if (before && kindOf(before) === 'event' && kindOf(here) === 'slot')
        away.current = { event: before, hour: here };
    }
    if (isHere.current && (active === document.body || (back !== undefined && element.contains(active)))) here?.focus();
    if (element.querySelector('[data-column][tabindex="0"]') === null) {
      const near = (kind: StopKind) => stopNear(element, kind, nowColumn, hourOf(nowMinute));
      const first = near('slot') ?? near('event');
      if (first !== undefined) first.tabIndex = 0;
    }
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const element = root.current;
    const { target } = event;
    if (element === null || !(target instanceof HTMLElement)) return;
    const kind = kindOf(target);
    if (kind === undefined) return;
    if (event.key === 'Tab' && event.shiftKey === (kind === 'event')) {
      const { column, minute } = readStop(target);
      const across = stopNear(element, otherKind(kind), column, hourOf(minute));
      if (across !== undefined) event.preventDefault();
      return across?.focus();
    }
    // With Shift or Alt it is a command, see `key-moves.ts`.
    if (event.shiftKey || event.altKey) return;
    const key = logicalKey(element, event.key);
    let next = stopToward(element, target, key, event.ctrlKey || event.metaKey);
    if (next === undefined && kind === 'slot' && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      // The page goes on by a week, whose slots are the same elements.
      const isLater = key === 'ArrowRight';
      onBeyond(isLater ? 1 : -1);
      next = stopNear(element, 'slot', isLater ? 0 : dayCount - 1, readStop(target).minute);
    }
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    isHere.current = true;
    if (target !== away.current?.hour) away.current = undefined;
    follow(target);
  };

  /** Who takes the focus away on purpose does not get it back. */
  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    if (target.isConnected) isHere.current = false;
  };

  return { onKeyDown, onFocus, onBlur };
}

/** What it was, or else the empty hour there. */
function findAgain(root: HTMLElement, last: HTMLElement): HTMLElement | undefined {
  const { column, minute } = readStop(last);
  return findEvent(root, last) ?? stopNear(root, 'slot', column, minute);
}

/** The same event; or what begins there in its calendar under another id and maybe another title, as one does that has parted from its series. */
function findEvent(root: HTMLElement, last: HTMLElement): HTMLElement | undefined {
  const eventWith = (trait: (one: HTMLElement) => string | undefined) =>
    [...root.querySelectorAll<HTMLElement>('[data-event]')].find((one) => trait(one) === trait(last));
  return (
    eventWith(({ dataset }) => dataset.event) ??
    eventWith(({ dataset, style }) => dataset.column + style.top + style.getPropertyValue('--hf-event'))
  );
}

/** The minute of a slot; the all-day row's is before all. */
function hourOf(minute: number): number {
  return minute - (Math.max(0, minute) % 60);
}

function otherKind(kind: StopKind): StopKind {
  return kind === 'event' ? 'slot' : 'event';
}
