import { sql } from 'kysely';
import { openDatabase } from '#platform/db.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createLog } from '#platform/log.ts';

// `age-proofs.ts <directory of a running cluster>`: eleven minutes pass for everybody's last proof of who they are.
const log = await createLog({ level: 'warn', format: 'json' });
const cluster = await startEmbeddedPostgres({ dir: process.argv[2] ?? '', log });
const { db, close } = openDatabase({ url: cluster.url, log });
await sql`update accounts.sessions set authenticated_at = authenticated_at - interval '11 minutes'`.execute(db);
await close();
await cluster.close();
