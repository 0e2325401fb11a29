import type { GridPlace } from './drag-times.ts';

/** A point of the window, px. */
export interface Point {
  x: number;
  y: number;
}

/** The parts of a grid, in the window's px. */
function measure(root: HTMLElement) {
  const boxOf = (selector: string) => root.querySelector(selector)?.getBoundingClientRect();
  return {
    columns: [...root.querySelectorAll('[data-slide]')].map((column) => column.getBoundingClientRect()),
    headBottom: boxOf('[data-head]')?.bottom ?? 0,
    gutterPx: boxOf('[data-corner]')?.width ?? 0,
  };
}

/** The place under a point; beside the grid it is the nearest one. */
export function placeAt(root: HTMLElement, { firstDay }: { firstDay: number }, { x, y }: Point): GridPlace {
  const { columns, headBottom } = measure(root);
  const away = columns.map(({ left, right }) => Math.max(left - x, x - right, 0));
  const column = away.indexOf(Math.min(...away));
  const { top = 0, height = 1 } = columns[column] ?? {};
  const minute = Math.min(1440, Math.max(0, ((y - top) / height) * 1440));
  return { dayNumber: firstDay + column, minute, inDays: y < headBottom };
}

/** Distance from an edge at which the grid scrolls, in px; and the step per frame at the edge itself. */
const edgePx = 40;
const edgeStepPx = 14;

/** How far a point near an edge pulls the grid, px a frame. */
export function edgePull(root: HTMLElement, scroller: HTMLElement, { x, y }: Point): Point {
  const { headBottom, gutterPx } = measure(root);
  const box = scroller.getBoundingClientRect();
  return { x: pull(x, box.left + gutterPx, box.right), y: pull(y, headBottom, box.bottom) };
}

function pull(at: number, from: number, to: number): number {
  const share = (distance: number) => Math.min(1, Math.max(0, 1 - distance / edgePx));
  return Math.round(edgeStepPx * (share(to - at) - share(at - from)));
}
