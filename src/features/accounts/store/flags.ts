import type { Database, Tx } from '#platform/db.ts';
import { type Flag, type FlagName, flagNames, untouched } from '../rules/flags.ts';

/** Every flag as it stands. */
export async function listFlags(db: Database): Promise<Flag[]> {
  const rows = await db.selectFrom('accounts.flags').select(['name', 'enabled', 'rollout']).execute();
  const set = new Map(rows.map(({ name, ...flag }) => [name, flag]));
  return flagNames.map((name) => ({ ...untouched, ...set.get(name), name }));
}

export async function findFlag(db: Database, name: FlagName): Promise<Flag> {
  const row = await db
    .selectFrom('accounts.flags')
    .select(['enabled', 'rollout'])
    .where('name', '=', name)
    .executeTakeFirst();
  return { ...untouched, ...row, name };
}

export async function putFlag(tx: Tx, flag: Flag): Promise<void> {
  await tx
    .insertInto('accounts.flags')
    .values(flag)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ enabled: flag.enabled, rollout: flag.rollout }))
    .execute();
}
