import { useSyncExternalStore } from 'react';
import type { Edit } from './edit-shapes.ts';

/** Below what the server's topic invalidates, beside single events. */
export const editsKey = ['edits', 'list'] as const;

/** Edits that this page has sent and the server has not answered yet: shown at once, gone with the answer. */
let sent: readonly Edit[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Edit[]): void {
  sent = next;
  for (const notify of listeners) notify();
}

/** Shows an edit from now on; the same id again takes its place. */
export function showLocalEdit(edit: Edit): void {
  change([...sent.filter((one) => one.edit_id !== edit.edit_id), edit]);
}

export function dropLocalEdit(editId: string): void {
  change(sent.filter((one) => one.edit_id !== editId));
}

export function useLocalEdits(): readonly Edit[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => sent,
  );
}
