import { sql } from 'kysely';
import { openDatabase } from '#platform/db.ts';
import { createLog } from '#platform/log.ts';

// `age-proofs.ts <URL of a database>`: eleven minutes pass for everybody's last proof of who they are.
const log = await createLog({ level: 'warn', format: 'json' });
const { db, close } = openDatabase({ url: process.argv[2] ?? '', log });
await sql`update accounts.sessions set authenticated_at = authenticated_at - interval '11 minutes'`.execute(db);
await close();
