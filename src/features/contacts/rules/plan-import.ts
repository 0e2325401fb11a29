import type { Sliced } from '#kernel/work-budget.ts';
import type { ContactDraft } from './contact-draft.ts';
import { trimTags } from './contact-draft.ts';
import { longest, mostTags } from './contact-limits.ts';
import type { ReadRow, Refusal } from './read-rows.ts';

/** What is known of an address already. */
export interface KnownContact {
  name: string | null;
  phone: string | null;
  company: string | null;
  tags: readonly string[];
  deleted: boolean;
  notes: readonly string[];
}

/** What becomes of a row. `gains`: what is filled in; nothing that somebody has is ever overwritten. */
export type PlannedRow =
  | { line: number; what: 'added'; draft: ContactDraft }
  | { line: number; what: 'changed'; draft: ContactDraft; gains: ('name' | 'phone' | 'company' | 'tags' | 'note')[] }
  | { line: number; what: 'same'; draft: ContactDraft }
  | { line: number; what: 'refused'; reason: Refusal | 'full'; shown: string };

/** What an import would do; `room`: how many contacts more there may be. Carried out, the same again changes nothing. */
export function* planImport(
  rows: readonly ReadRow[],
  known: ReadonlyMap<string, KnownContact>,
  room: number,
): Sliced<PlannedRow[]> {
  let left = room;
  const plan = (row: ReadRow): PlannedRow => {
    const { line } = row;
    if ('refused' in row) return { line, what: 'refused', reason: row.refused, shown: row.shown };
    const { draft } = row;
    const before = known.get(draft.address);
    if (before === undefined || before.deleted) {
      if (before === undefined && left <= 0) return { line, what: 'refused', reason: 'full', shown: draft.address };
      if (before === undefined) left -= 1;
      return { line, what: 'added', draft };
    }
    const filled = { ...draft, ...fillIn(before, draft) };
    const gains = [
      ...(['name', 'phone', 'company'] as const).filter((field) => before[field] === null && draft[field] !== null),
      ...(filled.tags.length > before.tags.length ? (['tags'] as const) : []),
      ...(draft.note !== null && !before.notes.includes(draft.note) ? (['note'] as const) : []),
    ];
    const note = gains.includes('note') ? draft.note : null;
    return gains.length === 0
      ? { line, what: 'same', draft: { ...filled, note } }
      : { line, what: 'changed', draft: { ...filled, note }, gains };
  };
  const planned: PlannedRow[] = [];
  for (const row of rows) {
    planned.push(plan(row));
    yield;
  }
  return planned;
}

type Facts = Pick<ContactDraft, 'name' | 'phone' | 'company' | 'tags'>;

/** What stays stays; what is missing comes from the other. */
export function fillIn(before: Facts, other: Facts): Facts {
  return {
    name: before.name ?? other.name,
    phone: before.phone ?? other.phone,
    company: before.company ?? other.company,
    tags: trimTags([...before.tags, ...other.tags], longest.tag, mostTags),
  };
}
