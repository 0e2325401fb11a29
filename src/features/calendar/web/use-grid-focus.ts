import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { eventNear, keepOneTabStop, stopToward } from './roving-focus.ts';
import { allDayHour, findSlot, keepOneSlot, readSlot, type Slot, slotToward } from './slot-cursor.ts';

export interface GridFocusOptions {
  dayCount: number;
  /** Where the slot cursor begins. */
  firstSlot: Slot;
  onBeyond: (direction: -1 | 1) => void;
}

/**
 * The grid's two tab stops, an empty hour and an event, which follow each other: Tab goes from an hour to what happens
 * then, Shift+Tab back. Arrows travel among the hours and, from an event, among the events.
 */
export function useGridFocus(root: RefObject<HTMLElement | null>, options: GridFocusOptions) {
  const { dayCount, firstSlot, onBeyond } = options;
  /** The event that has the focus, and where it stood: a move draws it anew in another column. */
  const focused = useRef<{ eventId: string; slot: Slot }>(undefined);

  useLayoutEffect(() => {
    const element = root.current;
    if (element === null) return;
    keepOneTabStop(element);
    keepOneSlot(element, null, firstSlot);
    const lost = focused.current;
    if (lost === undefined || document.activeElement !== document.body) return;
    const again = element.querySelector<HTMLElement>(`[data-event="${CSS.escape(lost.eventId)}"]`);
    (again ?? findSlot(element, lost.slot))?.focus({ preventScroll: again === null });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    const element = root.current;
    // With Shift, Alt or a letter it is a command, see `key-moves.ts`.
    if (element === null || !(event.target instanceof HTMLElement) || event.shiftKey || event.altKey) return;
    const toEnds = event.ctrlKey || event.metaKey;
    const slot = readSlot(event.target);
    if (slot === undefined) {
      const next = stopToward(element, event.target, event.key, toEnds);
      if (next === undefined) return;
      event.preventDefault();
      next.focus();
      return;
    }
    const next = slotToward(slot, event.key, toEnds, dayCount);
    if (next === undefined) return;
    event.preventDefault();
    if (next.column < 0) onBeyond(-1);
    if (next.column >= dayCount) onBeyond(1);
    findSlot(element, { ...next, column: (next.column + dayCount) % dayCount })?.focus();
  };

  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const { currentTarget, target } = event;
    const slot = readSlot(target);
    if (slot !== undefined) {
      keepOneSlot(currentTarget, target);
      const near = eventNear(currentTarget, slot.column, slot.hour * 60);
      if (near !== undefined) keepOneTabStop(currentTarget, near);
    }
    if (target.dataset.column === undefined) return;
    const [column, minute] = [Number(target.dataset.column), Number(target.dataset.minute)];
    const here = { column, hour: minute < 0 ? allDayHour : Math.floor(minute / 60) };
    keepOneTabStop(currentTarget, target);
    keepOneSlot(currentTarget, findSlot(currentTarget, here));
    focused.current = target.dataset.event === undefined ? undefined : { eventId: target.dataset.event, slot: here };
  };

  /** Who takes the focus away on purpose does not get it back. */
  const onBlur = (event: FocusEvent<HTMLElement>) => {
    if (event.target.isConnected) focused.current = undefined;
  };

  return { onKeyDown, onFocus, onBlur };
}
