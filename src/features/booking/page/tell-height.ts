/** A date as the page around a frame is told of it. *Units*: epoch minutes. */
export interface FrameDate {
  uid: string;
  start: number;
  end: number;
}

/** A booking: its first date, and all that were booked together, in order. */
export type FrameBooking = FrameDate & { dates: readonly FrameDate[] };

/** Messages of a framed page to the page around it. embed.ts receives them; docs/embedding.md documents them. */
export type FrameMessage = { kind: 'height'; height: number } | ({ kind: 'booked' } & FrameBooking);

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
