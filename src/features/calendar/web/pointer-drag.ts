import { readingDirection } from '#ui/dates/reading-direction.ts';
import { droppedTimes, type Grab, type GridPlace, rangeOf, sameTimes } from './drag-times.ts';
import { type Ghost, openGhost } from './ghost.ts';
import type { GridEvent } from './grid-event.ts';
import { edgePull, type Point, placeAt } from './grid-place.ts';
import { type GridScene, movedText, refusalOf } from './grid-scene.ts';
import { readStop } from './roving-focus.ts';
import type { EventTimes } from './wall-clock.ts';

/** A pointer that moves less than this clicks. */
const thresholdPx = 5;
/** A finger that rests this long takes hold; one that moves before scrolls. */
const longPressMs = 350;
const fingerSlopPx = 10;
/** The end of an event that resizes it. */
const handlePx = 7;
const fingerHandlePx = 14;
/** Time after which an event that is held at the outer edge moves to the next week. */
const turnMs = 700;
/** Width of the edge that turns the page during a drag. */
const turnPullPx = 12;

interface Press {
  pointerId: number;
  isTouch: boolean;
  /** Where it was pressed, and where it is now. */
  from: Point;
  at: Point;
  target: HTMLElement;
  /** The event as it was when the drag began: its element may be redrawn under another id before the pointer moves. */
  grab: Grab<GridEvent> | undefined;
  hold: ReturnType<typeof setTimeout> | undefined;
  /** Ends all listening for the rest of this press. */
  over: AbortController;
}

interface Drag {
  grab: Grab<GridEvent>;
  ghost: Ghost;
  times: EventTimes;
  /** Fingerprint of the last drawing: within a quarter of an hour nothing changes. */
  look: string;
  /** Since when it is held at the outer edge, ms of the page; 0 where it is not. */
  heldMs: number;
  /** Why it cannot be dragged. */
  refusal: string | undefined;
}

/** Mouse, pen and finger: clicks on empty slots, new ranges, moves and resizes. */
export function listenToPointer(root: HTMLElement, read: () => GridScene, signal: AbortSignal): void {
  const scroller = root.parentElement as HTMLElement;
  let press: Press | undefined;
  let drag: Drag | undefined;
  let frame = 0;

  const onPointerDown = (event: PointerEvent) => {
    const target = (event.target as Element).closest<HTMLElement>('[data-event], [data-slot]');
    if (target === null || press !== undefined || event.button !== 0 || !event.isPrimary || event.ctrlKey) return;
    const isTouch = event.pointerType === 'touch';
    const at = { x: event.clientX, y: event.clientY };
    const hold = isTouch ? setTimeout(take, longPressMs) : undefined;
    const over = new AbortController();
    const grab = grabOf(root, read(), target, at, isTouch);
    press = { pointerId: event.pointerId, isTouch, from: at, at, target, grab, hold, over };
    window.addEventListener('pointermove', onPointerMove, over);
    window.addEventListener('pointerup', onPointerUp, over);
    window.addEventListener('pointercancel', cancel, over);
    window.addEventListener('keydown', onKeyDown, { capture: true, signal: over.signal });
  };

  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerId !== press?.pointerId) return;
    press.at = { x: event.clientX, y: event.clientY };
    if (drag) return follow();
    const movedPx = Math.hypot(press.at.x - press.from.x, press.at.y - press.from.y);
    if (movedPx < (press.isTouch ? fingerSlopPx : thresholdPx)) return;
    if (press.isTouch) end();
    else take();
  };

  /** From a press to a drag. */
  const take = () => {
    const scene = read();
    if (!press?.grab) return end();
    const { grab } = press;
    const event = grab.times;
    const refusal = event && refusalOf(scene, event);
    const times = droppedTimes(scene.zone, grab, grab.from);
    drag = { grab, ghost: openGhost(root, read, event), times, look: '', heldMs: 0, refusal };
    scene.closeCard();
    // capture keeps the press when its element is redrawn
    root.setPointerCapture(press.pointerId);
    root.dataset.dragging = refusal ? 'refused' : grab.kind;
    if (refusal) scene.say(refusal);
    if (press.isTouch) navigator.vibrate?.(10);
    follow();
  };

  /** Once a frame, however often the pointer moves. */
  const follow = () => {
    frame ||= requestAnimationFrame(draw);
  };
  const draw = (atMs = 0) => {
    frame = 0;
    if (!press || !drag) return;
    const scene = read();
    const { grab, ghost, refusal } = drag;
    if (refusal) return ghost.note(refusal, { x: press.at.x + 12, y: press.at.y + 16 });
    const place = placeAt(root, scene, press.at);
    // a range that is drawn or resized on the hours stays on the hours
    const to: GridPlace = grab.kind === 'move' ? place : { ...place, inDays: grab.from.inDays };
    const times = droppedTimes(scene.zone, grab, to);
    if (press.isTouch && !sameTimes(times, drag.times)) navigator.vibrate?.(5);
    const { scrollLeft, scrollTop } = scroller;
    const look = [times.startMs, times.endMs, to.inDays, scrollLeft, scrollTop].join();
    if (look !== drag.look) ghost.draw(times);
    Object.assign(drag, { times, look });
    const pull = edgePull(root, scroller, press.at);
    scroller.scrollBy({ left: pull.x, top: to.inDays ? 0 : pull.y, behavior: 'instant' });
    const scrolls = scroller.scrollLeft !== scrollLeft || scroller.scrollTop !== scrollTop;
    const isHeld = !scrolls && grab.times && Math.abs(pull.x) >= turnPullPx;
    if (isHeld || scrolls) follow();
    drag.heldMs = isHeld ? drag.heldMs || atMs : 0;
    if (atMs - drag.heldMs < turnMs || !isHeld) return;
    drag.heldMs = 0;
    scene.onBeyond(pull.x * readingDirection(root) < 0 ? -1 : 1);
  };

  const onPointerUp = (event: PointerEvent) => {
    if (event.pointerId !== press?.pointerId) return;
    // The last move may not have been drawn yet.
    press.at = { x: event.clientX, y: event.clientY };
    if (drag) swallowClick();
    draw();
    const { target } = press;
    const done = drag;
    end();
    if (!done || done.refusal) return;
    const scene = read();
    const { grab, times } = done;
    const held = grab.times;
    if (!held) return scene.onCreate?.(rangeOf(scene.zone, times), target);
    // The server, and then its provider, names one that was just made. In the week beyond it is not there yet.
    const isHeld = (one: GridEvent) =>
      sameTimes(one, held) && one.calendarId === held.calendarId && one.title === held.title;
    const current = scene.eventOf(held.id) ?? scene.events.find(isHeld) ?? held;
    if (sameTimes(times, current)) return;
    scene.say(movedText(scene, grab.kind, times));
    (grab.kind === 'move' ? scene.onMove : scene.onResize)?.(current, times);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !drag) return;
    event.preventDefault();
    event.stopPropagation();
    swallowClick();
    cancel();
  };
  const cancel = () => {
    if (drag && !drag.refusal) read().say(read().t('calendar.leftAsItWas'));
    end();
  };
  const end = () => {
    cancelAnimationFrame(frame);
    clearTimeout(press?.hold);
    press?.over.abort();
    drag?.ghost.close();
    delete root.dataset.dragging;
    press = undefined;
    drag = undefined;
    frame = 0;
  };

  const onClick = (event: Event) => {
    const target = event.target as HTMLElement;
    if (target.dataset.slot === undefined) return;
    const scene = read();
    const { column, minute } = readStop(target);
    const from = { dayNumber: scene.firstDay + column, minute, inDays: minute < 0 };
    const times = droppedTimes(scene.zone, { kind: 'create', from }, { ...from, minute: minute + 60 });
    scene.onCreate?.(rangeOf(scene.zone, times), target);
  };
  /** A finger that has taken hold scrolls nothing, and no swipe turns the week. */
  const onTouch = (event: TouchEvent) => {
    if (drag && event.cancelable) event.preventDefault();
  };

  root.addEventListener('pointerdown', onPointerDown, { signal });
  root.addEventListener('click', onClick, { signal });
  root.addEventListener('touchmove', onTouch, { passive: false, signal });
  root.addEventListener('touchend', onTouch, { signal });
  // A long press is ours.
  root.addEventListener('contextmenu', (event) => press?.isTouch && event.preventDefault(), { signal });
  signal.addEventListener('abort', end);
}

function grabOf(
  root: HTMLElement,
  scene: GridScene,
  target: HTMLElement,
  at: Point,
  isTouch: boolean,
): Grab<GridEvent> | undefined {
  const from = placeAt(root, scene, at);
  if (target.dataset.slot !== undefined) return scene.onCreate && { kind: 'create', from };
  const times = scene.eventOf(target.dataset.event);
  if (!times) return undefined;
  const isEnd = isOnHandle(target, at, from.inDays, isTouch ? fingerHandlePx : handlePx);
  const kind = isEnd && scene.onResize ? 'resize' : 'move';
  return kind === 'resize' || scene.onMove ? { kind, times, from } : undefined;
}

/** The end of a card that is large enough to be taken elsewhere too. */
function isOnHandle(card: HTMLElement, { x, y }: Point, isBar: boolean, reachPx: number): boolean {
  if (card.dataset.after !== undefined) return false;
  const box = card.getBoundingClientRect();
  if (!isBar) return box.bottom - y <= reachPx && box.height > 2.5 * reachPx;
  const fromEndPx = readingDirection(card) < 0 ? x - box.left : box.right - x;
  return fromEndPx <= reachPx && box.width > 4 * reachPx;
}

/** The click that follows the end of a drag means nothing. */
function swallowClick(): void {
  const over = new AbortController();
  const swallow = (event: Event) => event.stopPropagation();
  window.addEventListener('click', swallow, { capture: true, signal: over.signal });
  setTimeout(() => over.abort(), 0);
}
