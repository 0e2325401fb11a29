import { editsContract } from '#features/edits/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { mostRangeDays } from '../../rules/read-range.ts';
import type { Edit } from './edit-shapes.ts';

const { listEdits } = editsContract;
const api = createClient({ listEdits });

/** Edits of a range, ISO instants. An agenda may show more days than a call answers for: the rest takes more calls. */
export async function readEdits(from: string, to: string, signal: AbortSignal): Promise<{ edits: Edit[] }> {
  const parts = [...partsOf(Temporal.Instant.from(from), Temporal.Instant.from(to))];
  const answers = await Promise.all(parts.map((query) => api.listEdits({ query }, { signal })));
  return { edits: merged(answers.flatMap(({ edits }) => edits)) };
}

function* partsOf(from: Temporal.Instant, to: Temporal.Instant): Generator<{ from: string; to: string }> {
  for (let at = from; Temporal.Instant.compare(at, to) < 0; ) {
    const next = at.add({ hours: 24 * mostRangeDays });
    const end = Temporal.Instant.compare(next, to) < 0 ? next : to;
    yield { from: at.toString(), to: end.toString() };
    at = end;
  }
}

/** Each answer has every edit, with the events of its own part. */
function merged(found: readonly Edit[]): Edit[] {
  const edits = new Map<string, Edit>();
  for (const edit of found) {
    const { replaces = [], events = [] } = edits.get(edit.edit_id) ?? {};
    edits.set(edit.edit_id, {
      ...edit,
      replaces: [...replaces, ...edit.replaces],
      events: [...events, ...edit.events],
    });
  }
  return [...edits.values()];
}
