import { findLastBackup } from '#platform/backup-job.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/db.ts';
import type { Finding } from './finding.ts';

/** Whether there is a backup, and how old it is. One that something else makes is not seen from here. */
export async function checkBackup(config: Config, db: Database): Promise<Finding> {
  const subject = 'Backup';
  const last = await findLastBackup(db).catch(() => null);
  if (last === null) {
    const mend =
      config.backupDir === undefined
        ? 'Set BACKUP_DIR, or run npm run backup regularly.'
        : 'Holdfast makes the first one soon after npm start.';
    return { subject, state: 'note', says: 'Holdfast has made none yet', mend };
  }
  const hours = Math.floor(last.ageMs / 3_600_000);
  const says = `${last.file} was made ${hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`} ago`;
  if (config.backupDir === undefined || hours < 2 * config.backupEveryHours) return { subject, state: 'ok', says };
  return {
    subject,
    state: 'bad',
    says: `${says}, but one is due every ${config.backupEveryHours} hours`,
    mend: 'Check the log of platform.back-up for the cause, such as a full disk or a directory that is not writable.',
  };
}
