import { sql } from 'kysely';
import type { ApiFetch } from '#platform/api-fetch.ts';
import type { Database } from '#platform/db.ts';
import type { Finding } from './finding.ts';

const subject = 'Clock';
/** Tokens and signatures are good for minutes; a clock that is further off breaks them. */
const toleratedMs = 30_000;

/** Compares this machine's clock with the database's and with that of a reliable server. */
export async function checkClock(db: Database | null, witnessUrl: string | null, fetch: ApiFetch): Promise<Finding> {
  const offsets: { of: string; ms: number }[] = [];
  if (db !== null) {
    const before = Date.now();
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
    offsets.push({ of: 'the database', ms: Number(rows[0]?.ms) - (before + Date.now()) / 2 });
  }
  if (witnessUrl !== null) {
    const told = await dateOf(witnessUrl, fetch);
    if (told !== null) offsets.push({ of: new URL(witnessUrl).host, ms: told });
  }
  const worst = offsets.toSorted((one, other) => Math.abs(other.ms) - Math.abs(one.ms))[0];
  if (worst === undefined) return { subject, state: 'note', says: 'no server to compare it with responded' };
  const seconds = Math.round(Math.abs(worst.ms) / 1000);
  if (Math.abs(worst.ms) > toleratedMs) {
    return {
      subject,
      state: 'bad',
      says: `${seconds} s ${worst.ms > 0 ? 'behind' : 'ahead of'} ${worst.of}`,
      mend: 'Set the system clock by NTP (timedatectl set-ntp true).',
    };
  }
  return {
    subject,
    state: 'ok',
    says: `within ${Math.max(1, seconds)} s of ${offsets.map(({ of }) => of).join(' and ')}`,
  };
}

/** How far ahead a server's clock is, in ms, by its Date header; null where it does not answer. */
async function dateOf(url: string, fetch: ApiFetch): Promise<number | null> {
  try {
    const before = Date.now();
    const answer = await fetch(url, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(10_000) });
    const date = Date.parse(answer.headers.get('date') ?? '');
    return Number.isNaN(date) ? null : date + 500 - (before + Date.now()) / 2;
  } catch {
    return null;
  }
}
