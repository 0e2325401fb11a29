import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { pressedEarly } from '#ui/pressed-early.ts';

/** The subject of the grid's only card: an event, or the events behind a "+N" chip. */
export interface CardTarget {
  anchor: HTMLElement;
  /** `event` or `more`, by the attribute that the anchor carries. */
  kind: 'event' | 'more';
  eventId: string;
  pinned: boolean;
}

/** The pause before a card opens: long enough that crossing the grid with the pointer or the arrows shows none. */
const openDelayMs = 500;
/** A pointer that has just let go of something looks for nothing. */
const afterReleaseMs = 1_000;
/** Time to move from the event onto its card. */
const closeDelayMs = 150;

/**
 * Opens and closes the card from what happens to the elements of a grid, listening once at its root: hover and
 * keyboard focus show it, click and Enter pin it, Escape, leaving and scrolling close it.
 */
export function useFloatingCard(root: RefObject<HTMLElement | null>) {
  const [target, setTarget] = useState<CardTarget>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const shown = useRef<CardTarget>(undefined);
  shown.current = target;

  const later = useCallback((delayMs: number, act: () => void) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, delayMs);
  }, []);
  const keep = useCallback(() => clearTimeout(timer.current), []);
  const close = useCallback(() => {
    clearTimeout(timer.current);
    setTarget(undefined);
  }, []);
  const leave = useCallback(() => {
    if (!shown.current?.pinned) later(closeDelayMs, close);
  }, [close, later]);

  const pin = useCallback((next: CardTarget) => {
    clearTimeout(timer.current);
    setTarget(next);
  }, []);
  const pinEvent = useCallback(
    (eventId: string, anchor: HTMLElement) => pin({ kind: 'event', eventId, anchor, pinned: true }),
    [pin],
  );

  /** To the same event in another place. */
  const moveTo = useCallback((anchor: HTMLElement) => setTarget((before) => before && { ...before, anchor }), []);

  useEffect(() => {
    const element = root.current;
    if (element === null) return;
    const preview = (node: EventTarget | null) => {
      const found = targetOf(node, false);
      if (shown.current?.pinned) return;
      // A chip's list is for choosing from: it opens by click alone.
      if (found === undefined || found.kind === 'more') return leave();
      if (found.anchor === shown.current?.anchor) return keep();
      later(shown.current === undefined ? openDelayMs : closeDelayMs, () => {
        if (found.anchor.isConnected) setTarget(found);
      });
    };
    let released: PointerEvent | undefined;
    const onPointerUp = (event: PointerEvent) => {
      released = event;
    };
    const onPointerOver = (event: PointerEvent) => {
      // a dialog that closes under a resting pointer leaves it over an event that nobody looked for
      const isReleased =
        released &&
        (event.timeStamp < released.timeStamp + afterReleaseMs ||
          (event.clientX === released.clientX && event.clientY === released.clientY));
      const isBusy = event.buttons > 0 || isReleased;
      // Times are being picked from the grid: a card would lie over them.
      if (event.pointerType !== 'touch' && !isBusy && element.closest('[data-sharing]') === null) preview(event.target);
    };
    const onFocusIn = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target.matches(':focus-visible')) preview(target);
    };
    const press = (node: EventTarget | null) => {
      const found = targetOf(node, true);
      if (found !== undefined) pin(found);
    };
    const onClick = (event: MouseEvent) => press(event.target);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && shown.current !== undefined) {
        event.stopPropagation();
        close();
      }
    };
    element.addEventListener('pointerover', onPointerOver);
    window.addEventListener('pointerup', onPointerUp, true);
    element.addEventListener('pointerleave', leave);
    element.addEventListener('focusin', onFocusIn);
    element.addEventListener('focusout', leave);
    element.addEventListener('click', onClick);
    element.addEventListener('keydown', onKeyDown);
    press(pressedEarly(element));
    return () => {
      clearTimeout(timer.current);
      element.removeEventListener('pointerover', onPointerOver);
      window.removeEventListener('pointerup', onPointerUp, true);
      element.removeEventListener('pointerleave', leave);
      element.removeEventListener('focusin', onFocusIn);
      element.removeEventListener('focusout', leave);
      element.removeEventListener('click', onClick);
      element.removeEventListener('keydown', onKeyDown);
    };
  }, [root, close, keep, later, leave, pin]);

  return { target, pinEvent, moveTo, keep, leave, close };
}

function targetOf(node: EventTarget | null, pinned: boolean): CardTarget | undefined {
  const anchor = node instanceof Element ? node.closest<HTMLElement>('[data-event], [data-more]') : null;
  if (anchor === null) return undefined;
  const { event } = anchor.dataset;
  if (event !== undefined) return { anchor, kind: 'event', eventId: event, pinned };
  return { anchor, kind: 'more', eventId: '', pinned: true };
}
