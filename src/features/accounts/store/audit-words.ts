import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#platform/db.ts';
import type { WantedWords } from '../rules/search-words.ts';

/**
 * Matches entries with all of the terms. The `like` conditions follow from the patterns and are cheaper. They come
 * first, and a trigram index answers them until the word index exists (`ensureWordIndex`).
 */
export const hasTerms = ({ terms }: WantedWords): RawBuilder<unknown> =>
  sql.join(
    [
      ...terms.map(({ text }) => sql`words like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`),
      ...terms.map(({ pattern }) => sql`words ~ ${pattern}`),
    ],
    sql` and `,
  );

/** Entries with words that begin so: asked of the index by word. */
export const beginWords = (words: readonly string[]): RawBuilder<unknown> =>
  sql`accounts.words_of(words) @@ ${words.map((word) => `'${word}':*`).join(' & ')}::tsquery`;

/** A word of more entries costs more to look up in the index than the entries of other words to read. */
const mostEntries = 20_000;
/** Too many words begin so, none of which need be common. */
const tooShort = /^[a-z0-9]{1,2}$/;

/**
 * Words that are worth a look-up, by the known frequency of words.
 * A look-up of a beginning costs as much as it has entries (50 ns each): `reason` half of ten million, 250 ms.
 */
export async function chooseRare(db: Database, words: readonly string[], entries: number): Promise<readonly string[]> {
  const { rows } = await sql<{ word: string }>`
    select w.word from unnest(${words}::text[]) as w(word)
      left join (select e.word, e.share from pg_stats s
        cross join lateral unnest(s.most_common_elems::text::text[], s.most_common_elem_freqs) as e(word, share)
        where s.schemaname = 'accounts' and s.tablename = 'audit_by_word') common on starts_with(common.word, w.word)
    group by w.word having coalesce(sum(common.share), 0) * ${entries}::float8 <= ${mostEntries}`.execute(db);
  const rare = rows.map(({ word }) => word);
  const long = rare.filter((word) => !tooShort.test(word));
  return long.length > 0 ? long : rare;
}

/**
 * Builds the word index of a long audit in the background, without blocking writers. The former index is dropped once
 * the new one is complete. One process at a time; an index that a crash left incomplete is built again.
 */
export async function ensureWordIndex(db: Database): Promise<void> {
  await db.connection().execute(async (own) => {
    const { rows } = await sql<{ whole: boolean | null; old: boolean }>`
      select (select indisvalid from pg_index where indexrelid = to_regclass('accounts.audit_by_word')) as whole,
        to_regclass('accounts.audit_by_words') is not null as old`.execute(own);
    const [found] = rows;
    if (found === undefined || (found.whole === true && !found.old)) return;
    const { rows: locks } = await sql<{ held: boolean }>`
      select pg_try_advisory_lock(hashtext('accounts.audit_by_word')) as held`.execute(own);
    if (locks[0]?.held !== true) return;
    try {
      if (found.whole !== true) {
        await sql`drop index concurrently if exists accounts.audit_by_word`.execute(own);
        await sql`
          create index concurrently audit_by_word on accounts.audit using gin (accounts.words_of(words))`.execute(own);
        await sql`analyze accounts.audit`.execute(own);
      }
      await sql`drop index concurrently if exists accounts.audit_by_words`.execute(own);
    } finally {
      await sql`select pg_advisory_unlock(hashtext('accounts.audit_by_word'))`.execute(own);
    }
  });
}
