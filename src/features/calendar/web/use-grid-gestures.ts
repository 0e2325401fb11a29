import { type RefObject, useEffect, useRef } from 'react';
import type { GridScene } from './grid-scene.ts';

/** Drags, clicks and keys that make and change events: fetched once the week stands, heard at the grid's root. */
export function useGridGestures(
  root: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  scene: GridScene,
): void {
  const latest = useRef(scene);
  latest.current = scene;
  const isEditable = (scene.onCreate ?? scene.onMove ?? scene.onResize ?? scene.onEdit ?? scene.onDelete) !== undefined;
  useEffect(() => {
    const over = new AbortController();
    const attach = async () => {
      const { attachGestures } = await import('./grid-gestures.ts');
      if (over.signal.aborted || root.current === null || scroller.current === null) return;
      attachGestures(root.current, scroller.current, () => latest.current, over.signal);
    };
    if (isEditable) void attach();
    return () => over.abort();
  }, [root, scroller, isEditable]);
}
