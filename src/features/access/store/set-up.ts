import type { Database, Tx } from '#platform/db.ts';

/** False when it has been used, also by somebody in this moment. */
export async function spendSetUp(tx: Tx): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('access.set_up')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export async function wasSetUp(db: Database): Promise<boolean> {
  return (await db.selectFrom('access.set_up').select('used_at').executeTakeFirst()) !== undefined;
}

/** True for the first start that prints the set-up link; false for those after it. */
export async function claimSetUpLink(db: Database): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('access.set_up_link')
    .defaultValues()
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Has the next start print the set-up link again. */
export async function forgetSetUpLink(db: Database): Promise<void> {
  await db.deleteFrom('access.set_up_link').execute();
}
