import { sql } from 'kysely';
import type { UserId } from '#kernel/ids.ts';
import type { Database, Tx } from '#platform/db.ts';
import type { MailCodePurpose } from '../rules/mail-code.ts';

export interface NewMailCode {
  userId: UserId;
  purpose: MailCodePurpose;
  /** The address it goes to, in its canonical form. */
  email: string;
  codeHash: Buffer;
  lifetimeSeconds: number;
}

/** Takes the place of the person's older code of this purpose, which is void from here on. */
export async function saveMailCode(tx: Tx, code: NewMailCode): Promise<void> {
  const fresh = {
    email: code.email,
    code_hash: code.codeHash,
    expires_at: sql<Temporal.Instant>`now() + make_interval(secs => ${code.lifetimeSeconds}::float8)`,
  };
  await tx
    .insertInto('access.mail_codes')
    .values({ user_id: code.userId, purpose: code.purpose, ...fresh })
    .onConflict((conflict) => conflict.columns(['user_id', 'purpose']).doUpdateSet(fresh))
    .execute();
}

export interface GivenMailCode {
  purposes: readonly MailCodePurpose[];
  email: string;
  codeHash: Buffer;
}

/** The owner of a valid code. */
export function findMailCode(db: Database, given: GivenMailCode) {
  return db
    .selectFrom('access.mail_codes')
    .select(['user_id', 'purpose'])
    .where('code_hash', '=', given.codeHash)
    .where('email', '=', given.email)
    .where('purpose', 'in', given.purposes)
    .where('expires_at', '>', sql<Temporal.Instant>`clock_timestamp()`)
    .executeTakeFirst();
}

/** As `findMailCode`, and spends it: of ten who ask side by side one gets it. */
export function spendMailCode(tx: Tx, given: GivenMailCode) {
  return tx
    .deleteFrom('access.mail_codes')
    .where('code_hash', '=', given.codeHash)
    .where('email', '=', given.email)
    .where('purpose', 'in', given.purposes)
    .where('expires_at', '>', sql<Temporal.Instant>`clock_timestamp()`)
    .returning(['user_id', 'purpose'])
    .executeTakeFirst();
}

/** Voids what was mailed to somebody, e.g. because the address or the password is another one now. */
export async function deleteMailCodes(tx: Tx, userId: UserId): Promise<void> {
  await tx.deleteFrom('access.mail_codes').where('user_id', '=', userId).execute();
}

export async function deleteExpiredMailCodes(db: Database): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('access.mail_codes')
    .where('expires_at', '<', sql<Temporal.Instant>`now()`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
