import { readingDirection } from '#ui/dates/reading-direction.ts';

/**
 * Keyboard travel over a grid. Two kinds of stops, events and empty slots, each with one of its own in the tab order;
 * arrows go on from there day by day. Works on the elements themselves (`data-column`, `data-minute`; the all-day row
 * has minute -1), so that moving focus re-renders nothing.
 */

interface Stop {
  element: HTMLElement;
  column: number;
  minute: number;
}

export type StopKind = 'event' | 'slot';

const selectors = { event: '[data-column]:not([data-slot])', slot: '[data-slot]' } as const;

export function kindOf(element: HTMLElement): StopKind | undefined {
  if (element.dataset.column === undefined) return undefined;
  return element.dataset.slot === undefined ? 'event' : 'slot';
}

export function readStop(element: HTMLElement): Stop {
  return { element, column: Number(element.dataset.column), minute: Number(element.dataset.minute) };
}

function stopsIn(root: HTMLElement, kind: StopKind): Stop[] {
  return [...root.querySelectorAll<HTMLElement>(selectors[kind])].map(readStop);
}

/** Returns an arrow key by its meaning: in right-to-left text, the left key leads to the next day. */
export function logicalKey(root: HTMLElement, key: string): string {
  const across = ['ArrowLeft', 'ArrowRight'];
  return across.includes(key) && readingDirection(root) < 0 ? (across[1 - across.indexOf(key)] as string) : key;
}

/** Puts one stop of a kind in the tab order: `preferred`, else the one that had it, else the first. */
export function keepOneTabStop(root: HTMLElement, preferred?: HTMLElement, kind: StopKind = 'event'): void {
  const next =
    preferred ??
    root.querySelector<HTMLElement>(`${selectors[kind]}[tabindex="0"]`) ??
    root.querySelector<HTMLElement>(selectors[kind]);
  dropTabStops(root, selectors[kind]);
  if (next) next.tabIndex = 0;
}

/** Takes what a selector finds out of the tab order. */
export function dropTabStops(root: HTMLElement, selector: string): void {
  for (const stop of root.querySelectorAll<HTMLElement>(`${selector}[tabindex="0"]`)) stop.tabIndex = -1;
}

/** The hour of an event, or what happens in an hour: of that day the stop nearest to the minute, else the first of all. */
export function stopNear(root: HTMLElement, kind: StopKind, column: number, minute: number): HTMLElement | undefined {
  const stops = stopsIn(root, kind);
  const near = nearestOf(
    stops.filter((stop) => stop.column === column),
    minute,
  );
  return (near ?? stops[0])?.element;
}

function nearestOf(stops: readonly Stop[], minute: number): Stop | undefined {
  return stops.toSorted((a, b) => Math.abs(a.minute - minute) - Math.abs(b.minute - minute))[0];
}

/** Where an arrow key leads from a stop, to one of its kind; undefined where there is nothing that way. */
export function stopToward(
  root: HTMLElement,
  from: HTMLElement,
  key: string,
  toEnds: boolean,
): HTMLElement | undefined {
  const kind = kindOf(from);
  if (kind === undefined) return undefined;
  const stops = stopsIn(root, kind);
  const here = readStop(from);
  const day = stops.filter(({ column }) => column === here.column);
  const index = day.findIndex(({ element }) => element === from);
  switch (key) {
    case 'ArrowDown':
      return day[index + 1]?.element;
    case 'ArrowUp':
      return day[index - 1]?.element;
    case 'Home':
      return (toEnds ? inOrder(stops)[0] : day[0])?.element;
    case 'End':
      return (toEnds ? inOrder(stops).at(-1) : day.at(-1))?.element;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = key === 'ArrowRight' ? 1 : -1;
      const beyond = stops.filter(({ column }) => (column - here.column) * step > 0);
      const nearest = Math.min(...beyond.map(({ column }) => column * step)) * step;
      return nearestOf(
        beyond.filter(({ column }) => column === nearest),
        here.minute,
      )?.element;
    }
    default:
      return undefined;
  }
}

/** By day first: the all-day row comes first in the document, whatever day its bars begin. */
function inOrder(stops: readonly Stop[]): Stop[] {
  return stops.toSorted((a, b) => a.column - b.column || a.minute - b.minute);
}
