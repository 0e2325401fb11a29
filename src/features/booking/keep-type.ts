import { randomUUIDv7 } from 'node:crypto';
import { AppError } from '#kernel/errors.ts';
import type { EventTypeId } from '#kernel/ids.ts';
import { shownName, shownTextsIn } from '#kernel/text/shown-text.ts';
import { withoutUnseen } from '#kernel/text/unseen-signs.ts';
import type { Tx } from '#platform/db.ts';
import { followHours } from './follow-hours.ts';
import { lockOwner } from './lock-owner.ts';
import { longestSlug, nameForAddress } from './rules/handle.ts';
import type { TypeOwner } from './rules/type-hosts.ts';
import type { TypeSettings } from './rules/type-settings.ts';
import { countTypeText, type EventType, insertType, listTypesOf } from './store/event-type-rows.ts';

export const mostTypes = 100;
const mostTypeText = 1_000_000;

export type TypeDraft = Omit<
  EventType,
  'id' | 'userId' | 'teamId' | 'hosts' | 'slug' | 'version' | 'updatedMs' | 'lacksCalendars'
> &
  TypeOwner & {
    /** Undefined: out of the title, with a number behind it where that is taken. */
    slug: string | undefined;
  };

/** The texts of an event type that guests are shown. *Errors*: AppError invalid (INVALID_INPUT). */
export const shownTexts = ({
  title,
  description,
  settings,
}: Pick<EventType, 'title' | 'description' | 'settings'>) => ({
  title: shownName(title, 'title'),
  description: withoutUnseen(description),
  settings: { ...shownTextsIn(settings, 'settings'), questions: settings.questions.map(shownQuestion) },
});

/** Two options may be the same without signs that nobody sees. */
function shownQuestion(question: TypeSettings['questions'][number], n: number): TypeSettings['questions'][number] {
  const { options, ...plain } = shownTextsIn(question, `settings.questions.${n}`);
  return options === undefined ? plain : { ...plain, options: [...new Set(options)] };
}

/**
 * Stores a new event type behind the others of its owner.
 * *Errors*: AppError conflict (`SLUG_TAKEN`, `TOO_MANY`), not-found where its hours are nobody's.
 */
export async function keepType(tx: Tx, given: TypeDraft): Promise<EventTypeId> {
  const draft = { ...given, ...shownTexts(given) };
  await lockOwner(tx, draft);
  const others = await listTypesOf(tx, draft);
  if (others.length >= mostTypes) throw tooManyTypes();
  const taken = new Set(others.map(({ slug }) => slug));
  if (draft.slug !== undefined && taken.has(draft.slug)) throw slugTaken();
  const id = randomUUIDv7() as EventTypeId;
  await insertType(tx, { ...draft, id, slug: draft.slug ?? freeSlug(draft.title, taken) });
  await requireTextRoom(tx, draft);
  await followHours(tx, { ...draft, id });
  return id;
}

/**
 * Requires that an owner's event types have no more text than the limit, or than they had.
 * *Errors*: AppError conflict (`TOO_MANY`).
 */
export async function requireTextRoom(tx: Tx, owner: TypeOwner, had = 0): Promise<void> {
  if ((await countTypeText(tx, owner)) > Math.max(mostTypeText, had)) {
    const message = `Event types of one owner can have up to ${mostTypeText} characters together. Nothing was saved. Shorten or delete some first.`;
    throw new AppError('conflict', 'TOO_MANY', message);
  }
}

function freeSlug(title: string, taken: ReadonlySet<string>): string {
  const base = nameForAddress(title, longestSlug - 4) || 'meeting';
  for (let n = 1; ; n += 1) {
    const slug = n === 1 ? base : `${base}-${n}`;
    if (!taken.has(slug)) return slug;
  }
}

export const slugTaken = () =>
  new AppError('conflict', 'SLUG_TAKEN', 'You already have an event type with this address. Choose another address.', {
    fields: { slug: 'You already have an event type with this address. Choose another address.' },
  });

export const tooManyTypes = () =>
  new AppError('conflict', 'TOO_MANY', `You can have up to ${mostTypes} event types. Delete one you no longer need.`);
