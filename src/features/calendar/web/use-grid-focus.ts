import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import {
  dropTabStops,
  keepOneTabStop,
  kindOf,
  logicalKey,
  readStop,
  type StopKind,
  stopNear,
  stopToward,
} from './roving-focus.ts';

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
  /** The event that has the focus, and where it stood: a move draws it anew in another column. */
  const focused = useRef<{ eventId: string; column: number; minute: number }>(undefined);

  const follow = (target: HTMLElement) => {
    const kind = kindOf(target);
    if (root.current === null || kind === undefined) return;
    keepOneTabStop(root.current, target, kind);
    dropTabStops(root.current, otherKind(kind));
    const { column, minute } = readStop(target);
    const { event: eventId } = target.dataset;
    focused.current = eventId === undefined ? undefined : { eventId, column, minute };
  };

  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    if (element.querySelector('[data-column][tabindex="0"]') === null) {
      const now = stopNear(element, 'slot', nowColumn, hourOf(nowMinute));
      keepOneTabStop(element, now, element.querySelector('[data-slot]') === null ? 'event' : 'slot');
    }
    const lost = focused.current;
    const active = document.activeElement;
    // It may have moved under the focus.
    if (active instanceof HTMLElement && element.contains(active)) follow(active);
    if (lost === undefined || active !== document.body) return;
    const again = element.querySelector<HTMLElement>(`[data-event="${CSS.escape(lost.eventId)}"]`);
    (again ?? stopNear(element, 'slot', lost.column, lost.minute))?.focus();
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const element = root.current;
    const kind = event.target instanceof HTMLElement ? kindOf(event.target) : undefined;
    if (element === null || kind === undefined || !(event.target instanceof HTMLElement)) return;
    if (event.key === 'Tab' && event.shiftKey === (kind === 'event')) {
      const { column, minute } = readStop(event.target);
      const across = stopNear(element, otherKind(kind), column, hourOf(minute));
      if (across !== undefined) event.preventDefault();
      return across?.focus();
    }
    // With Shift or Alt it is a command, see `key-moves.ts`.
    if (event.shiftKey || event.altKey) return;
    const key = logicalKey(element, event.key);
    let next = stopToward(element, event.target, key, event.ctrlKey || event.metaKey);
    if (next === undefined && kind === 'slot' && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      // The page goes on by a week, whose slots are the same elements.
      onBeyond(key === 'ArrowRight' ? 1 : -1);
      const column = key === 'ArrowRight' ? 0 : dayCount - 1;
      next = stopNear(element, 'slot', column, readStop(event.target).minute);
    }
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };

  const onFocus = ({ target }: FocusEvent<HTMLElement>) => follow(target);

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

function otherKind(kind: StopKind): StopKind {
  return kind === 'event' ? 'slot' : 'event';
}
