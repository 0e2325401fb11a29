import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { keepOneTabStop, kindOf, logicalKey, readStop, stopNear, stopToward } from './roving-focus.ts';

export interface GridFocusOptions {
  dayCount: number;
  /** Where the slot cursor begins, if that is in view; else at the first day. */
  nowColumn: number;
  nowMinute: number;
  onBeyond: (direction: -1 | 1) => void;
}

/**
 * The grid's two tab stops, an empty slot and an event, which follow each other: Tab goes from an hour to what happens
 * then, Shift+Tab back. Arrows travel among the slots, into the next week too, or among the events.
 */
export function useGridFocus(root: RefObject<HTMLElement | null>, options: GridFocusOptions) {
  const { dayCount, nowColumn, nowMinute, onBeyond } = options;
  /** The event that has the focus, and where it stood: a move draws it anew in another column. */
  const focused = useRef<{ eventId: string; column: number; minute: number }>(undefined);

  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    keepOneTabStop(element);
    if (element.querySelector('[data-slot][tabindex="0"]') === null) {
      keepOneTabStop(element, stopNear(element, 'slot', nowColumn, hourOf(nowMinute)), 'slot');
    }
    const lost = focused.current;
    if (lost === undefined || document.activeElement !== document.body) return;
    const again = element.querySelector<HTMLElement>(`[data-event="${CSS.escape(lost.eventId)}"]`);
    (again ?? stopNear(element, 'slot', lost.column, lost.minute))?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const element = root.current;
    // With Shift or Alt it is a command, see `key-moves.ts`.
    if (element === null || !(event.target instanceof HTMLElement) || event.shiftKey || event.altKey) return;
    const key = logicalKey(element, event.key);
    let next = stopToward(element, event.target, key, event.ctrlKey || event.metaKey);
    if (next === undefined && kindOf(event.target) === 'slot' && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      // The page goes on by a week, whose slots are the same elements.
      onBeyond(key === 'ArrowRight' ? 1 : -1);
      const column = key === 'ArrowRight' ? 0 : dayCount - 1;
      next = stopNear(element, 'slot', column, readStop(event.target).minute);
    }
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  const onFocus = ({ currentTarget, target }: FocusEvent<HTMLElement>) => {
    const kind = kindOf(target);
    if (kind === undefined) return;
    const { column, minute } = readStop(target);
    const other = kind === 'event' ? 'slot' : 'event';
    keepOneTabStop(currentTarget, target, kind);
    // The hour that an event begins in, the event nearest to an hour.
    keepOneTabStop(currentTarget, stopNear(currentTarget, other, column, hourOf(minute)), other);
    const { event: eventId } = target.dataset;
    focused.current = eventId === undefined ? undefined : { eventId, column, minute };
  };

  /** Who takes the focus away on purpose does not get it back. */
  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    if (target.isConnected) focused.current = undefined;
  };

  return { onKeyDown, onFocus, onBlur };
}

/** The minute of a slot; the all-day row's is before all. */
function hourOf(minute: number): number {
  return minute - (Math.max(0, minute) % 60);
}
