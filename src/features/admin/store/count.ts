import { sql } from 'kysely';
import type { Database } from '#platform/db.ts';
import type { Counts } from '../overview/contract.ts';

/** Reads whole tables: once a minute, never at a reader's request. */
export async function countAll(db: Database): Promise<Omit<Counts, 'billing'>> {
  const { rows: regions } = await sql<{
    name: string;
    all: number;
    administrators: number;
    active: number;
    joined: number;
  }>`
    select region as name, count(*) as all, count(*) filter (where role = 'admin') as administrators, count(a.user_id) as active,
      count(*) filter (where created_at > now() - interval '30 days') as joined
    from accounts.people p left join accounts.active a using (user_id) where not leaving
    group by region order by active desc, region`.execute(db);
  const { rows: accounts } = await sql<{
    provider: string;
    profile: string;
    all: number;
    lost: number;
    people: number;
  }>`
    select provider, profile, count(*) as all, count(*) filter (where status = 'needs-reconnect') as lost,
      count(distinct a.user_id) as people
    from connections.accounts c left join accounts.active a using (user_id)
    group by provider, profile order by 3 desc, provider, profile`.execute(db);
  const sum = (of: 'all' | 'administrators' | 'active' | 'joined') =>
    regions.reduce((total, region) => total + region[of], 0);
  return {
    people: { all: sum('all'), administrators: sum('administrators'), active: sum('active'), joined: sum('joined') },
    regions: regions.filter(({ active }) => active > 0).map(({ name, active }) => ({ name, people: active })),
    integrations: accounts
      .filter(({ people }) => people > 0)
      .map(({ provider, profile, people }) => ({ name: `${provider}/${profile}`, people })),
    accounts: accounts.map(({ provider, profile, all, lost }) => ({ provider, profile, all, lost })),
  };
}
