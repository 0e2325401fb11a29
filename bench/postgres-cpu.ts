import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';

const statOf = (pid: string) => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** How to ask for the CPU of the server processes of a PostgreSQL so far, in us. One that ends meanwhile is not counted. */
export async function openPostgresCpu(db: Database): Promise<() => number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const postmaster = statOf(String(rows[0]!.pid))[1];
  return () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .reduce((sum, pid) => {
        try {
          return statOf(pid)[1] === postmaster
            ? sum + Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
            : sum;
        } catch {
          return sum;
        }
      }, 0);
}
