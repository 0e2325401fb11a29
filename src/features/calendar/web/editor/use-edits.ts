import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EventRange } from '../queries.ts';
import type { Edit } from './edit-shapes.ts';
import { editsKey, useLocalEdits } from './local-edits.ts';

/** The server announces changes of edits; this is for when its stream is cut off. */
const pollMs = { waiting: 5_000, idle: 60_000 };

const none: readonly Edit[] = [];

export interface RangeEdits {
  /** As the server has them: what waits, failed, is in conflict, and what was done in the last minutes. */
  edits: readonly Edit[];
  /** For `overlayEdits`: also what this page has just sent. */
  overlay: readonly Edit[];
}

/** Edits of a range. */
export function useEdits({ fromMs, toMs }: EventRange): RangeEdits {
  const [from, to] = [isoOf(fromMs), isoOf(toMs)];
  const { data } = useQuery({
    queryKey: [...editsKey, from, to],
    // The calls of editing are fetched beside the first picture, not before it.
    queryFn: async ({ signal }) => (await import('./read-edits.ts')).readEdits(from, to, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.edits.some((edit) => edit.state === 'pending') ? pollMs.waiting : pollMs.idle,
  });
  const edits = data?.edits ?? none;
  const local = useLocalEdits();
  const overlay = useMemo(
    () => [...edits, ...local.filter((sent) => edits.every((edit) => edit.edit_id !== sent.edit_id))],
    [edits, local],
  );
  return { edits, overlay };
}

function isoOf(ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(ms).toString();
}
