import { AppError } from '#kernel/errors.ts';
import type { Tx } from '#platform/db.ts';
import { type FormOwner, mostForms } from './rules/form-owner.ts';
import { listSlugs } from './store/form-rows.ts';

/** The addresses that are taken. *Errors*: AppError conflict (`TOO_MANY`). */
export async function demandRoom(tx: Tx, owner: FormOwner): Promise<Set<string>> {
  const taken = new Set(await listSlugs(tx, owner));
  if (taken.size >= mostForms)
    throw new AppError('conflict', 'TOO_MANY', `There are ${mostForms} forms, which is the most. Delete one first.`);
  return taken;
}

export const slugTaken = () =>
  new AppError('conflict', 'SLUG_TAKEN', 'Another form has this address. Nothing was saved; choose another name.', {
    fields: { slug: 'Another form has this address.' },
  });
