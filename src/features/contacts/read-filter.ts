import { foldText } from '#kernel/fold-text.ts';
import type { ContactSource, meetingAges } from './rules/views.ts';
import type { ContactFilter } from './store/find-contacts.ts';

/** What is asked for, as the store looks for it. More than eight words narrow nothing any further. */
export function readFilter(
  query: {
    q?: string | undefined;
    tag?: string | undefined;
    source?: ContactSource | undefined;
    met?: (typeof meetingAges)[number] | undefined;
  },
  nowMs: number,
): ContactFilter {
  const words = foldText(query.q ?? '')
    .split(' ')
    .filter(Boolean)
    .slice(0, 8);
  return { words, tag: query.tag ?? null, source: query.source ?? null, met: query.met ?? null, nowMs };
}
