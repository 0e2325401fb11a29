import { movedBy, resizedBy, sameTimes, steppedBy } from './drag-times.ts';
import { type Ghost, openGhost } from './ghost.ts';
import type { GridEvent } from './grid-event.ts';
import { type GridScene, movedText, refusalOf } from './grid-scene.ts';
import { logicalKey } from './roving-focus.ts';
import type { EventTimes } from './wall-clock.ts';

/** How long the reason stays beside an event that cannot be changed. */
const noteMs = 4_000;

interface KeyMove {
  event: GridEvent;
  kind: 'move' | 'resize';
  /** Times by the quarter, and the days beside them: a day that skips an hour changes no other day's. */
  base: EventTimes;
  days: number;
  times: EventTimes;
  ghost: Ghost;
}

interface KeyStep {
  days: number;
  /** A quarter of an hour earlier or later. */
  quarter: -1 | 0 | 1;
}

const arrows: Record<string, KeyStep> = {
  ArrowUp: { days: 0, quarter: -1 },
  ArrowDown: { days: 0, quarter: 1 },
  ArrowLeft: { days: -1, quarter: 0 },
  ArrowRight: { days: 1, quarter: 0 },
};

/**
 * Keys on an event: Shift and an arrow move it, Alt and an arrow its end, each step spoken. Like a drag it is let go of
 * with the key that holds it (Shift or Alt; Enter, or leaving the event, does so too), and Escape takes it back. `e`
 * edits, Delete deletes.
 */
export function listenToKeys(root: HTMLElement, read: () => GridScene, signal: AbortSignal) {
  let move: KeyMove | undefined;

  const onKeyDown = (pressed: KeyboardEvent) => {
    const { key, shiftKey, altKey } = pressed;
    const card = (pressed.target as Element).closest<HTMLElement>('[data-event]');
    const scene = read();
    const event = scene.eventOf(card?.dataset.event);
    if (card === null || event === undefined || pressed.ctrlKey || pressed.metaKey) return;
    const step = shiftKey !== altKey ? arrows[logicalKey(root, key)] : undefined;
    const act =
      step === undefined ? commandOf(scene, pressed) : () => take(scene, event, shiftKey ? 'move' : 'resize', step);
    // Whole days have no quarters.
    if (act === undefined || (step?.days === 0 && card.dataset.minute === '-1')) return;
    pressed.preventDefault();
    pressed.stopPropagation();
    scene.closeCard();
    const refusal = refusalOf(scene, event);
    if (refusal === undefined) act(event);
    else refuse(scene, card, refusal);
  };

  const commandOf = (scene: GridScene, { key, shiftKey, altKey }: KeyboardEvent) => {
    if (move !== undefined && key === 'Escape') return cancel;
    if (move !== undefined && key === 'Enter') return drop;
    if (shiftKey || altKey) return undefined;
    if (key === 'e') return scene.onEdit;
    return key === 'Delete' || key === 'Backspace' ? scene.onDelete : undefined;
  };

  const refuse = (scene: GridScene, card: HTMLElement, reason: string) => {
    const { left, bottom } = card.getBoundingClientRect();
    const ghost = openGhost(root, read, undefined);
    ghost.note(reason, { x: left, y: bottom + 4 });
    scene.say(reason);
    setTimeout(ghost.close, noteMs);
    card.addEventListener('blur', ghost.close, { once: true });
  };

  const take = (scene: GridScene, event: GridEvent, kind: KeyMove['kind'], { days, quarter }: KeyStep) => {
    if ((kind === 'move' ? scene.onMove : scene.onResize) === undefined) return;
    if (move?.kind !== kind || move.event.id !== event.id) drop();
    const { ghost, base, days: before } = move ?? { ghost: openGhost(root, read, event), base: event, days: 0 };
    const shift = { days: before + days, minutes: 0 };
    const shifted = (kind === 'move' ? movedBy : resizedBy)(scene.zone, base, shift);
    const times = quarter === 0 ? shifted : steppedBy(scene.zone, shifted, quarter, kind);
    move = { event, kind, ghost, times, ...(quarter === 0 ? { base, days: shift.days } : { base: times, days: 0 }) };
    const conflict = ghost.draw(times);
    ghost.reveal();
    scene.say(movedText(scene, kind, times), conflict);
  };

  const drop = () => {
    const done = move;
    move = undefined;
    done?.ghost.close();
    if (done === undefined || sameTimes(done.times, done.event)) return;
    const scene = read();
    (done.kind === 'move' ? scene.onMove : scene.onResize)?.(done.event, done.times);
    // a move beyond the visible range takes the view along
    if (done.ghost.isOutside()) scene.onBeyond(done.times.startMs < done.event.startMs ? -1 : 1);
  };
  const cancel = () => {
    move?.ghost.close();
    move = undefined;
    read().say(read().t('calendar.leftAsItWas'));
  };
  const onKeyUp = ({ key }: KeyboardEvent) => {
    if (key === (move?.kind === 'move' ? 'Shift' : 'Alt')) drop();
  };

  root.addEventListener('keydown', onKeyDown, { signal });
  root.addEventListener('keyup', onKeyUp, { signal });
  root.addEventListener('focusout', drop, { signal });
  signal.addEventListener('abort', drop);
}
