/**
 * Keyboard travel over the empty hours of a grid: one slot is in the tab order, arrows go on from there. Works on the
 * elements themselves (`data-slot="column.hour"`), as `roving-focus.ts` does for events.
 */

/** The all-day row lies over midnight. */
export const allDayHour = -1;

export interface Slot {
  column: number;
  /** 0 to 23, or `allDayHour`. */
  hour: number;
}

export function readSlot(element: Element): Slot | undefined {
  const text = element.getAttribute('data-slot');
  if (text === null) return undefined;
  const [column, hour] = text.split('.');
  return { column: Number(column), hour: Number(hour) };
}

export function findSlot(root: HTMLElement, { column, hour }: Slot): HTMLElement | null {
  return root.querySelector<HTMLElement>(`[data-slot="${column}.${hour}"]`);
}

/** Puts one slot in the tab order: the one asked for, else the one that has it, else `first`. */
export function keepOneSlot(root: HTMLElement, preferred: HTMLElement | null, first?: Slot): void {
  const current = [...root.querySelectorAll<HTMLElement>('[data-slot][tabindex="0"]')];
  const next = preferred ?? current[0] ?? (first && findSlot(root, first));
  for (const element of current) if (element !== next) element.tabIndex = -1;
  if (next) next.tabIndex = 0;
}

/** Where a key leads from a slot; a column outside the grid is the next or the last week's. Undefined: nowhere. */
export function slotToward({ column, hour }: Slot, key: string, toEnds: boolean, dayCount: number): Slot | undefined {
  switch (key) {
    case 'ArrowDown':
      return hour < 23 ? { column, hour: hour + 1 } : undefined;
    case 'ArrowUp':
      return hour > allDayHour ? { column, hour: hour - 1 } : undefined;
    case 'ArrowRight':
      return { column: column + 1, hour };
    case 'ArrowLeft':
      return { column: column - 1, hour };
    case 'Home':
      return { column: toEnds ? 0 : column, hour: 0 };
    case 'End':
      return { column: toEnds ? dayCount - 1 : column, hour: 23 };
    default:
      return undefined;
  }
}
