import { type FocusEvent, type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import { keepOneTabStop, stopToward } from './roving-focus.ts';

/** A list of days: one event is in the tab order, up and down go on over the end of a day, left and right by days. */
export function useRovingList(root: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    if (root.current !== null) keepOneTabStop(root.current);
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const element = root.current;
    if (element === null || !(event.target instanceof HTMLElement) || event.shiftKey || event.altKey) return;
    const stops = [...element.querySelectorAll<HTMLElement>('[data-column]')];
    const at = stops.indexOf(event.target);
    if (at === -1) return;
    const next =
      event.key === 'ArrowDown' || event.key === 'ArrowUp'
        ? stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
        : stopToward(element, event.target, event.key, event.ctrlKey || event.metaKey);
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    if (event.target.dataset.column !== undefined) keepOneTabStop(event.currentTarget, event.target);
  };
  return { onKeyDown, onFocus };
}
