import type { Sliced } from '#kernel/work-budget.ts';
import { readAddress } from './address.ts';
import type { ContactDraft } from './contact-draft.ts';
import { trimLine, trimTags } from './contact-draft.ts';
import { importLimits, longest, mostTags } from './contact-limits.ts';

/** Why a row of a file was not taken. */
export const refusals = ['no-address', 'bad-address', 'twice', 'too-many'] as const;
export type Refusal = (typeof refusals)[number];

/** A row of a file: what it says of a contact, or why it is not taken. */
export type ReadRow =
  | { line: number; draft: ContactDraft }
  /** `shown`: enough of it to find it again. */
  | { line: number; refused: Refusal; shown: string };

/** What a file may say of somebody, as it stands there. */
export interface RawContact {
  line: number;
  shown: string;
  address: string;
  name: string;
  phone: string;
  company: string;
  tags: readonly string[];
  note: string;
}

/** Judges the rows of a file, each on its own: a bad one costs the others nothing. */
export function* readRows(rows: readonly RawContact[]): Sliced<ReadRow[]> {
  const seen = new Set<string>();
  const judge = (row: RawContact, number: number): ReadRow => {
    const { line, shown } = row;
    const refuse = (refused: Refusal): ReadRow => ({ line, refused, shown: trimLine(shown, 120) ?? '' });
    if (number >= importLimits.rows) return refuse('too-many');
    if (row.address.trim() === '') return refuse('no-address');
    const address = readAddress(row.address);
    if (address === null) return refuse('bad-address');
    if (seen.has(address)) return refuse('twice');
    seen.add(address);
    const note = row.note
      .trimStart()
      .slice(0, 2 * longest.note)
      .replace(/\r\n?/g, '\n')
      .trim()
      .slice(0, longest.note)
      .toWellFormed();
    return {
      line,
      draft: {
        address,
        name: trimLine(row.name, longest.name),
        phone: trimLine(row.phone, longest.phone),
        company: trimLine(row.company, longest.company),
        tags: trimTags(row.tags, longest.tag, mostTags),
        note: note === '' ? null : note,
      },
    };
  };
  const judged: ReadRow[] = [];
  for (const [number, row] of rows.entries()) {
    judged.push(judge(row, number));
    yield;
  }
  return judged;
}
