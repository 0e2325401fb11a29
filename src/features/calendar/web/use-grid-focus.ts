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
  /** The last focused element. It may be detached by now: a move redraws an event in another column. */
  const last = useRef<HTMLElement>(undefined);
  /** Temporary owner of the focus while an event is redrawn under another id; the focus returns to the event. */
  const standIn = useRef<HTMLElement>(undefined);
  /** Whether its person left it there, or took it elsewhere. */
  const isHere = useRef(false);

  const follow = (target: HTMLElement) => {
    if (root.current && kindOf(target)) {
      dropTabStops(root.current, '[data-column]');
      target.tabIndex = 0;
    }
  };

  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    const active = document.activeElement as HTMLElement | null;
    const near = (kind: StopKind) => stopNear(element, kind, nowColumn, hourOf(nowMinute));
    // the event may have moved under the focus, or an open dialog will return the focus to the tab stop
    const isIn = element.contains(active);
    const isLost = !isIn || active === standIn.current;
    const here = (isLost ? last.current && findAgain(element, last.current) : active) ?? near('slot') ?? near('event');
    if (here === undefined) return;
    follow(here);
    if (isLost) standIn.current = here;
    if (kindOf(here) === 'event') last.current = here;
    if (isHere.current && (isIn || active === document.body)) here.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const element = root.current;
    const { target } = event;
    if (element === null || !(target instanceof HTMLElement)) return;
    const kind = kindOf(target);
    if (kind === undefined) return;
    const { column, minute } = readStop(target);
    let next: HTMLElement | undefined;
    if (event.key === 'Tab' && event.shiftKey === (kind === 'event')) {
      next = stopNear(element, kind === 'event' ? 'slot' : 'event', column, hourOf(minute));
    } else {
      // With Shift or Alt it is a command, see `key-moves.ts`.
      if (event.shiftKey || event.altKey) return;
      const key = logicalKey(element, event.key);
      next = stopToward(element, target, key, event.ctrlKey || event.metaKey);
      const isLater = key === 'ArrowRight';
      if (next === undefined && kind === 'slot' && (isLater || key === 'ArrowLeft')) {
        // the page turns by a week, whose slots are the same elements
        onBeyond(isLater ? 1 : -1);
        next = stopNear(element, 'slot', isLater ? 0 : dayCount - 1, minute);
      }
    }
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    isHere.current = true;
    if (target !== standIn.current) {
      standIn.current = undefined;
      last.current = target;
    }
    follow(target);
  };

  /** an intended blur does not restore the focus */
  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    if (target.isConnected) isHere.current = false;
  };

  return { onKeyDown, onFocus, onBlur };
}

/**
 * The same event; what begins there in its calendar under another id and maybe another title, as one does that
 * has parted from its series; else the empty hour.
 */
function findAgain(root: HTMLElement, last: HTMLElement): HTMLElement | undefined {
  const { column, minute } = readStop(last);
  const eventWith = (trait: (one: HTMLElement) => string | undefined) =>
    [...root.querySelectorAll<HTMLElement>('[data-event]')].find((one) => trait(one) === trait(last));
  return (
    eventWith(({ dataset }) => dataset.event) ??
    eventWith(({ dataset, style }) => dataset.column + style.top + style.getPropertyValue('--hf-event')) ??
    stopNear(root, 'slot', column, minute)
  );
}

/** The minute of a slot; the all-day row's is before all. */
function hourOf(minute: number): number {
  return minute - (Math.max(0, minute) % 60);
}
