import { pressedEarly } from '#ui/pressed-early.ts';
import type { GridScene } from './grid-scene.ts';
import { listenToKeys } from './key-moves.ts';
import { listenToPointer } from './pointer-drag.ts';

/**
 * All that changes events on the grid itself. A chunk of its own: the week is on screen before anybody drags. From then on
 * the root says so (`data-gestures`).
 */
export function attachGestures(root: HTMLElement, read: () => GridScene, signal: AbortSignal): void {
  listenToPointer(root, read, signal);
  listenToKeys(root, read, signal);
  root.dataset.gestures = '';
  const early = pressedEarly(root);
  if (early?.dataset.slot) early.click();
}
