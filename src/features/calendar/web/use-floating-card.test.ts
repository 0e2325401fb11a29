import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useFloatingCard } from './use-floating-card.ts';

afterEach(() => {
  cleanup();
  document.body.replaceChildren();
});

/** A grid whose event has the focus, as a browser says that it came there by a press or by keys. */
function gridWithFocus(by: 'press' | 'keys') {
  document.body.innerHTML = '<div><button data-event="gym">Gym</button></div><button>Elsewhere</button>';
  const [event, elsewhere] = document.querySelectorAll('button');
  for (const one of [event, elsewhere]) if (one) vi.spyOn(one, 'matches').mockReturnValue(by === 'keys');
  return { root: { current: document.querySelector('div') }, event, elsewhere };
}

it('an event that was pressed before its card code loaded opens its card', () => {
  const { root, event } = gridWithFocus('press');
  event?.focus();
  const { result } = renderHook(() => useFloatingCard(root));
  expect(result.current.target).toEqual({ kind: 'event', eventId: 'gym', anchor: event, pinned: true });
});

it('focus by keyboard or outside the grid opens no card', () => {
  const keys = gridWithFocus('keys');
  keys.event?.focus();
  expect(renderHook(() => useFloatingCard(keys.root)).result.current.target).toBeUndefined();
  const press = gridWithFocus('press');
  press.elsewhere?.focus();
  expect(renderHook(() => useFloatingCard(press.root)).result.current.target).toBeUndefined();
});

it('a pointer that has just let go of an event opens no card', () => {
  vi.useFakeTimers();
  const { root, event } = gridWithFocus('press');
  const { result } = renderHook(() => useFloatingCard(root));
  const move = (type: string, timeStamp: number, clientX: number) => {
    const moved = new PointerEvent(type, { bubbles: true, pointerType: 'mouse', clientX });
    Object.defineProperty(moved, 'timeStamp', { value: timeStamp });
    event?.dispatchEvent(moved);
  };
  move('pointerup', 1_000, 10);
  move('pointerover', 1_900, 20);
  act(() => {
    vi.advanceTimersByTime(600);
  });
  expect(result.current.target).toBeUndefined();
  move('pointerover', 2_100, 20);
  act(() => {
    vi.advanceTimersByTime(400);
  });
  expect(result.current.target).toBeUndefined();
  act(() => {
    vi.advanceTimersByTime(200);
  });
  expect(result.current.target).toMatchObject({ kind: 'event', eventId: 'gym', pinned: false });
  vi.useRealTimers();
});

it('an event under a pointer that pressed a button of a closed dialog opens no card', () => {
  vi.useFakeTimers();
  const { root, event, elsewhere } = gridWithFocus('press');
  const { result } = renderHook(() => useFloatingCard(root));
  const move = (node: Element | undefined, type: string, timeStamp: number, clientX: number) => {
    const moved = new PointerEvent(type, { bubbles: true, pointerType: 'mouse', clientX });
    Object.defineProperty(moved, 'timeStamp', { value: timeStamp });
    node?.dispatchEvent(moved);
  };
  move(elsewhere, 'pointerup', 1_000, 10);
  // the dialog is gone after its answer, and the pointer has not moved
  move(event, 'pointerover', 3_000, 10);
  act(() => {
    vi.advanceTimersByTime(600);
  });
  expect(result.current.target).toBeUndefined();
  move(event, 'pointerover', 3_500, 11);
  act(() => {
    vi.advanceTimersByTime(600);
  });
  expect(result.current.target).toMatchObject({ kind: 'event', eventId: 'gym' });
  vi.useRealTimers();
});
