import { sql } from 'kysely';
import type { TestApp } from './test-app.ts';

/** Mails that are put off for later are due now. */
export async function hurryMails({ app }: Pick<TestApp, 'app'>): Promise<void> {
  await sql`update platform.mails set next_attempt_at = now() - interval '1 minute' where state = 'queued'`.execute(
    app.db,
  );
  await sql`update jobs.job set start_after = now() where name = 'mail.deliver' and state < 'active'`.execute(app.db);
}
