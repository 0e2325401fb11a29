/** What a page in a frame tells the page around it; embed.ts listens. */
export type FrameMessage =
  | { kind: 'height'; height: number }
  | { kind: 'booked'; start: number; end: number; uid: string };

/** Only to the site that was named when the frame was made: another one around us gets nothing. */
export function tellParent({ origin }: { origin: string }, message: FrameMessage): void {
  if (parent !== window) parent.postMessage({ holdfast: 1, ...message }, origin);
}

/** Tells how tall the page is, whenever that changes; how to stop it. */
export function tellHeight(around: { origin: string }): () => void {
  const { body } = document;
  const tell = () => tellParent(around, { kind: 'height', height: Math.ceil(body.getBoundingClientRect().height) });
  const watch = new ResizeObserver(tell);
  watch.observe(body);
  return () => watch.disconnect();
}
