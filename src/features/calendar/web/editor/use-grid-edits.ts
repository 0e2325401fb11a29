import { useMemo } from 'react';
import type { NewRange } from '../drag-times.ts';
import type { GridEvent } from '../grid-event.ts';
import type { EventTimes } from '../wall-clock.ts';
import { useEditing } from './editing.tsx';

export interface GridEdits {
  onCreate: ((range: NewRange, anchor: HTMLElement) => void) | undefined;
  onMove: ((event: GridEvent, times: EventTimes) => void) | undefined;
  onResize: ((event: GridEvent, times: EventTimes) => void) | undefined;
  onEdit: ((event: GridEvent) => void) | undefined;
  onDelete: ((event: GridEvent) => void) | undefined;
}

const none: GridEdits = {
  onCreate: undefined,
  onMove: undefined,
  onResize: undefined,
  onEdit: undefined,
  onDelete: undefined,
};

/** The grid's handlers for clicks, drags and drops; empty where events cannot be edited. */
export function useGridEdits(): GridEdits {
  const begin = useEditing();
  return useMemo(() => {
    if (begin === null) return none;
    const onMove = (event: GridEvent, times: EventTimes) => begin({ kind: 'move', eventId: event.id, times });
    return {
      onCreate: (range, anchor) => begin({ kind: 'quick', range, anchor }),
      onMove,
      onResize: onMove,
      onEdit: (event) => begin({ kind: 'edit', eventId: event.id }),
      onDelete: (event) => begin({ kind: 'delete', eventId: event.id }),
    };
  }, [begin]);
}
