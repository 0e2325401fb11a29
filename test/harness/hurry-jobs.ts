import { sql } from 'kysely';
import { channelOf, jobsSchema } from '#platform/job-sql.ts';
import type { TestApp } from './test-app.ts';

/** Runs delayed jobs of these kinds now. The worker is notified, because it otherwise polls once a second. */
export async function hurryJobs({ app }: Pick<TestApp, 'app'>, ...names: string[]): Promise<void> {
  await sql`update jobs.job set start_after = now() where name = any(${names}) and state < 'active'
    returning pg_notify(${channelOf(jobsSchema)}, name)`.execute(app.db);
}

/** Mails that are put off for later are due now. */
export async function hurryMails(server: Pick<TestApp, 'app'>): Promise<void> {
  await sql`update platform.mails set next_attempt_at = now() - interval '1 minute' where state = 'queued'`.execute(
    server.app.db,
  );
  await hurryJobs(server, 'mail.deliver');
}
