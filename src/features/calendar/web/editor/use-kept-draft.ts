import { useEffect, useState } from 'react';
import { nowMs } from '#ui/clock.ts';
import { dropDraft, keepDraft, readDraft } from '#ui/local-drafts.ts';
import type { EventDraft } from './event-draft.ts';

/** A pause in typing. */
const pauseMs = 300;

/** The form of a new event is kept under one name: there is one thought at a time. */
export const newDraftName = 'event:new';

/**
 * Keeps what is typed in this browser until it is sent or discarded. `offered` is what was left the last time, for the
 * person to take up again; `version` of the event it was typed over, so that it is not offered over a newer one.
 */
export function useKeptDraft(name: string, draft: EventDraft, dirty: boolean, version: string) {
  const [offered, setOffered] = useState(() => readKept(name, version));
  useEffect(() => {
    if (!dirty) return;
    const timer = setTimeout(() => keepDraft(name, { version, draft }, nowMs()), pauseMs);
    return () => clearTimeout(timer);
  }, [name, draft, dirty, version]);
  return {
    offered,
    takeUp: () => setOffered(undefined),
    forget: () => {
      setOffered(undefined);
      dropDraft(name);
    },
  };
}

function readKept(name: string, version: string): EventDraft | undefined {
  const kept = readDraft(name, nowMs()) as { version?: unknown; draft?: Partial<EventDraft> } | undefined;
  const draft = kept?.draft;
  const isWhole =
    kept?.version === version && typeof draft?.title === 'string' && typeof draft.start === 'string' && draft.guests;
  return isWhole ? (draft as EventDraft) : undefined;
}
