/** Actions of a page for `bench/week-grid.ts`, whichever calendar it shows. */
export interface MeasuredPage {
  /** From nothing to the painted week, ms: parsing aside, everything that a week's events cost. */
  render(count: number): Promise<number>;
  /** From one painted week to the next, ms. */
  next(count: number): Promise<number>;
  /** The browser's own share: the same markup put in place as text, ms. */
  markup(): Promise<number>;
  elements(): number;
  /** A point on an event that can be dragged a good way to the right and down. */
  handle(): { x: number; y: number };
  /** Counts frames from now on. */
  startFrames(): void;
  /** The pauses between the frames since then, ms. */
  endFrames(): number[];
}

declare global {
  interface Window {
    weekGridBench: MeasuredPage;
  }
}

/** Until the frame after the next one begins: by then the change is on the screen. */
function painted(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
}

/** Returns the ms from `act`, which commits synchronously, until its frame is painted. */
export async function untilPainted(act: () => void): Promise<number> {
  await painted();
  const started = performance.now();
  act();
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.now() - started;
}

/** The first of these elements that lies in the upper left part of the window and is tall enough to be taken. */
export function handleOf(elements: Iterable<Element>): { x: number; y: number } {
  for (const element of elements) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const point = { x: left + width / 2, y: top + Math.min(12, height / 2) };
    const isInView = left > 60 && left < 500 && top > 150 && top < 400 && height > 20;
    if (isInView && element.contains(document.elementFromPoint(point.x, point.y))) return point;
  }
  throw new Error('No event here can be dragged');
}

let frames: number[] | undefined;

export const frameCounter: Pick<MeasuredPage, 'startFrames' | 'endFrames'> = {
  startFrames() {
    const counted: number[] = [];
    frames = counted;
    let before: number | undefined;
    const count = (atMs: number) => {
      if (before !== undefined) counted.push(atMs - before);
      before = atMs;
      if (frames === counted) requestAnimationFrame(count);
    };
    requestAnimationFrame(count);
  },
  endFrames() {
    const counted = frames ?? [];
    frames = undefined;
    return counted;
  },
};
