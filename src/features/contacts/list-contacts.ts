import type { Input, Output } from '#kernel/contract.ts';
import { AppError } from '#kernel/errors.ts';
import type { ContactId } from '#kernel/ids.ts';
import type { Actor } from '#platform/actor.ts';
import type { App } from '#platform/app.ts';
import type { contactsContract } from './contract.ts';
import { readFilter } from './read-filter.ts';
import { listAddresses } from './store/contact-rows.ts';
import { type ContactOrder, type Cursor, countContacts, findContacts, listTags } from './store/find-contacts.ts';
import { countDue } from './store/meeting-rows.ts';
import { viewContact } from './view-contact.ts';

const pageRows = 50;

/** A page of contacts; five statements whatever is on it. */
export async function listContacts(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { userId }: Actor,
  query: Input<typeof contactsContract.listContacts>['query'],
): Promise<Output<typeof contactsContract.listContacts>> {
  const nowMs = clock.nowMs();
  const order = query.order ?? 'last';
  const after = query.after === undefined ? null : readCursor(query.after, order);
  const filter = readFilter(query, nowMs);
  await countDue(db, userId, nowMs);
  const [rows, counts, tags] = await Promise.all([
    findContacts(db, userId, filter, { order, after, limit: pageRows + 1 }),
    countContacts(db, userId, filter),
    listTags(db, userId),
  ]);
  const page = rows.slice(0, pageRows);
  const addresses = Map.groupBy(
    await listAddresses(
      db,
      page.map(({ id }) => id),
    ),
    ({ personId }) => personId,
  );
  const last = rows.length > pageRows ? page.at(-1) : undefined;
  return {
    contacts: page.map((one) => viewContact(one, addresses.get(one.id) ?? [])),
    next: last === undefined ? null : JSON.stringify([order, last.sortedBy, last.id]),
    ...counts,
    tags,
  };
}

/** A cursor is ours; whatever else comes is refused, not guessed at. */
function readCursor(text: string, order: ContactOrder): Cursor {
  try {
    const [name, value, id, ...more] = JSON.parse(text) as unknown[];
    const isValue = order === 'name' ? typeof value === 'string' : Number.isSafeInteger(value);
    const isId = typeof id === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id);
    if (name === order && isValue && isId && more.length === 0)
      return { value: value as string | number, id: id as ContactId };
  } catch {
    // said below
  }
  throw new AppError(
    'invalid',
    'INVALID_INPUT',
    'This page of contacts is not there any more. Start again from the first.',
  );
}
