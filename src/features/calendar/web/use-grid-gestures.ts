import { type RefObject, useEffect, useRef } from 'react';
import type { GridScene } from './grid-scene.ts';

/** Drags, clicks and keys that make and change events: fetched once the week stands, heard at the grid's root. */
export function useGridGestures(root: RefObject<HTMLElement | null>, scene: GridScene): void {
  const latest = useRef(scene);
  latest.current = scene;
  useEffect(() => {
    const over = new AbortController();
    const attach = async () => {
      const { attachGestures } = await import('./grid-gestures.ts');
      if (!over.signal.aborted && root.current !== null) {
        attachGestures(root.current, () => latest.current, over.signal);
      }
    };
    void attach();
    return () => over.abort();
  }, [root]);
}
