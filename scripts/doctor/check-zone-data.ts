import { ageOfZoneData } from '#kernel/time/zone-data.ts';
import type { Finding } from './finding.ts';

const subject = 'Time zones';

/** The version and age of the time zone data that this Node brings. */
export function checkZoneData(version: string, nowMs: number): Finding {
  const { days, isOld } = ageOfZoneData(version, nowMs);
  const says = `tzdata ${version}, about ${days} days old, from Node ${process.versions.node}`;
  if (!isOld) return { subject, state: 'ok', says };
  return {
    subject,
    state: 'note',
    says: `${says}: time zones with newer rules can be an hour off`,
    mend: 'Install a newer Node.js, or set ICU_TIMEZONE_FILES_DIR (see docs/operating.md, "Time zone data").',
  };
}
