/**
 * Keyboard travel over the events of a grid: one of them is in the tab order, arrows go on from there day by day.
 * Works on the elements themselves (`data-column`, `data-minute`), so that moving focus re-renders nothing.
 */

interface Stop {
  element: HTMLElement;
  column: number;
  minute: number;
}

function stopsIn(root: HTMLElement): Stop[] {
  return [...root.querySelectorAll<HTMLElement>('[data-column]')].map((element) => ({
    element,
    column: Number(element.dataset.column),
    minute: Number(element.dataset.minute),
  }));
}

/** Puts one event in the tab order, the one that had it before if it is still there. */
export function keepOneTabStop(root: HTMLElement, preferred?: HTMLElement): void {
  const current = [...root.querySelectorAll<HTMLElement>('[data-column][tabindex="0"]')];
  const next = preferred ?? current[0] ?? root.querySelector<HTMLElement>('[data-column]');
  for (const element of current) if (element !== next) element.tabIndex = -1;
  if (next) next.tabIndex = 0;
}

/** The event of a day that is nearest to a minute, so that Tab goes on from a slot to what happens there. */
export function eventNear(root: HTMLElement, column: number, minute: number): HTMLElement | undefined {
  return nearestOf(
    stopsIn(root).filter((stop) => stop.column === column),
    minute,
  )?.element;
}

function nearestOf(stops: readonly Stop[], minute: number): Stop | undefined {
  return stops.reduce<Stop | undefined>(
    (nearest, stop) =>
      nearest === undefined || Math.abs(stop.minute - minute) < Math.abs(nearest.minute - minute) ? stop : nearest,
    undefined,
  );
}

/** Where an arrow key leads from an event; undefined where there is nothing that way. */
export function stopToward(
  root: HTMLElement,
  from: HTMLElement,
  key: string,
  toEnds: boolean,
): HTMLElement | undefined {
  const stops = stopsIn(root);
  const here = stops.find(({ element }) => element === from);
  if (here === undefined) return undefined;
  const day = stops.filter(({ column }) => column === here.column);
  const index = day.indexOf(here);
  switch (key) {
    case 'ArrowDown':
      return day[index + 1]?.element;
    case 'ArrowUp':
      return day[index - 1]?.element;
    case 'Home':
      return (toEnds ? firstOf(stops) : day[0])?.element;
    case 'End':
      return (toEnds ? lastOf(stops) : day.at(-1))?.element;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = key === 'ArrowRight' ? 1 : -1;
      const beyond = stops.filter(({ column }) => (column - here.column) * step > 0);
      const column = beyond.reduce(
        (nearest, stop) =>
          Math.abs(stop.column - here.column) < Math.abs(nearest - here.column) ? stop.column : nearest,
        Number.POSITIVE_INFINITY * step,
      );
      return nearestOf(
        beyond.filter((stop) => stop.column === column),
        here.minute,
      )?.element;
    }
    default:
      return undefined;
  }
}

/** By day first: the all-day row comes first in the document, whatever day its bars begin. */
function firstOf(stops: readonly Stop[]): Stop | undefined {
  return stops.toSorted((a, b) => a.column - b.column || a.minute - b.minute)[0];
}

function lastOf(stops: readonly Stop[]): Stop | undefined {
  return stops.toSorted((a, b) => a.column - b.column || a.minute - b.minute).at(-1);
}
