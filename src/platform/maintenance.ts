import { sql } from 'kysely';
import type { Database } from './db.ts';
import type { Log } from './log.ts';

/** Maintenance mode: only administrators are admitted, and no job runs, until the operator switches it off. */
export interface MaintenanceNote {
  /** Message of the operator to people. */
  message: string;
  sinceMs: number;
}

export interface Maintenance {
  current(): MaintenanceNote | null;
  /** Looks now, not within two seconds. */
  look(): Promise<void>;
  close(): void;
}

const lookEveryMs = 2000;

export async function findMaintenance(db: Database): Promise<MaintenanceNote | null> {
  const { rows } = await sql<MaintenanceNote>`
    select message, (extract(epoch from begun_at) * 1000)::float8 as "sinceMs" from platform.maintenance`.execute(db);
  return rows[0] ?? null;
}

export async function beginMaintenance(db: Database, message: string): Promise<void> {
  await sql`insert into platform.maintenance (message) values (${message})
    on conflict (id) do update set message = excluded.message`.execute(db);
}

/** False where it was not on. */
export async function endMaintenance(db: Database): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from platform.maintenance`.execute(db);
  return numAffectedRows === 1n;
}

/** Every process looks for itself: a word that got lost must not leave one of them open, or shut. */
export async function watchMaintenance(
  db: Database,
  log: Log,
  onChange: (note: MaintenanceNote | null) => void,
): Promise<Maintenance> {
  let current: MaintenanceNote | null = null;
  const look = async () => {
    const found = await findMaintenance(db);
    const isOther = (found === null) !== (current === null);
    current = found;
    if (!isOther) return;
    log.warn(
      { maintenance: found !== null },
      found === null ? 'maintenance is over' : 'maintenance: people are kept out',
    );
    onChange(found);
  };
  await look();
  // a database that is away changes nothing, and tells so itself
  const timer = setInterval(() => void look().catch(() => undefined), lookEveryMs).unref();
  return { current: () => current, look, close: () => clearInterval(timer) };
}
