import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { CsvError, type Info, parse } from 'csv-parse';
import { AppError } from '#kernel/errors.ts';
import { foldText } from '#kernel/text/fold-text.ts';
import type { Sliced } from '#kernel/work-budget.ts';
import { inSlices } from '#platform/in-slices.ts';
import { importLimits, mostTagsRead } from '../rules.ts';
import type { RawContact } from './rules.ts';

type Field = Exclude<keyof RawContact, 'line' | 'shown'> | 'given' | 'family';

/** Column names of our export, Google Contacts, Outlook, and hand-made files. Folded. */
const columns: Record<string, Field> = {
  email: 'address',
  'e mail': 'address',
  mail: 'address',
  address: 'address',
  'email address': 'address',
  'e mail address': 'address',
  'e mail 1 value': 'address',
  name: 'name',
  'full name': 'name',
  'display name': 'name',
  contact: 'name',
  'first name': 'given',
  'given name': 'given',
  'last name': 'family',
  'family name': 'family',
  phone: 'phone',
  mobile: 'phone',
  'mobile phone': 'phone',
  'phone number': 'phone',
  'phone 1 value': 'phone',
  company: 'company',
  organization: 'company',
  organisation: 'company',
  'organization name': 'company',
  tags: 'tags',
  labels: 'tags',
  categories: 'tags',
  notes: 'note',
  note: 'note',
};

/** Columns of a file. Address books write about a hundred. */
const mostColumns = 200;

/**
 * The rows of a CSV file; its first names the columns. Null where none of them is an address. Separators are commas,
 * semicolons or tabs, whichever the first row has most of. Others have their turn of the event loop between its pieces.
 *
 * *Errors*: AppError unprocessable (`TOO_MANY_COLUMNS`) at the first row with more than 200.
 */
export async function readCsv(text: string): Promise<RawContact[] | null> {
  const delimiter = delimiterOf(text);
  const source = Readable.from(piecesOf(text));
  const rows: Row[] = [];
  try {
    const parser = parse({
      bom: true,
      delimiter,
      info: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 100_000,
      to: importLimits.rows + 200, // a few more are told of
      // the size of a record does not count empty cells
      cast: (cell, { index }) => {
        if (index >= mostColumns) throw tooManyColumns();
        return cell;
      },
    });
    const read = source.pipe(parser);
    for await (const row of read as AsyncIterable<Row>) rows.push(row);
  } catch (error) {
    if (error instanceof CsvError) return null;
    throw error;
  } finally {
    source.destroy();
  }
  const [head, ...body] = rows;
  const fields = (head?.record ?? []).map((name) => columns[foldText(name.slice(0, 100))]);
  if (!fields.includes('address')) return null;
  return await inSlices(contactsOf(body, fields));
}

type Row = { record: string[]; info: Info };

function* contactsOf(rows: readonly Row[], fields: readonly (Field | undefined)[]): Sliced<RawContact[]> {
  const contacts: RawContact[] = [];
  const places = new Map<Field | undefined, number>();
  for (const [place, field] of fields.entries()) if (!places.has(field)) places.set(field, place);
  for (const { record, info } of rows) {
    const cell = (field: Field) => plainText(record[places.get(field) ?? -1] ?? '');
    contacts.push({
      line: info.lines,
      shown: record.join(', '),
      address: cell('address'),
      name: cell('name') || `${cell('given')} ${cell('family')}`.trim(),
      phone: cell('phone'),
      company: cell('company'),
      tags: cell('tags').split(/[;,]|:::/, mostTagsRead),
      note: cell('note'),
    });
    yield;
  }
  return contacts;
}

/** Characters between two turns of the event loop: some milliseconds of parsing. */
const pieceChars = 8_192;

async function* piecesOf(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += pieceChars) {
    yield text.slice(at, at + pieceChars);
    await setImmediate();
  }
}

const tooManyColumns = () =>
  new AppError(
    'unprocessable',
    'TOO_MANY_COLUMNS',
    `This file has a row with more than ${mostColumns} columns. Delete the columns you don't need, and import it again.`,
  );

/** The separator that the first line has most of, as far as it can reach. */
function delimiterOf(text: string): string {
  const [first = ''] = text.slice(0, 100 * mostColumns).split(/\r\n|\r|\n/, 1);
  const counts = new Map([',', ';', '\t'].map((sign) => [sign, 0]));
  for (const sign of first) {
    const count = counts.get(sign);
    if (count !== undefined) counts.set(sign, count + 1);
  }
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

/** Without the apostrophe that keeps spreadsheets from carrying a text out (kernel/csv.ts). */
const plainText = (cell: string) => (/^'\s*[=+\-@]/.test(cell) ? cell.slice(1) : cell);
