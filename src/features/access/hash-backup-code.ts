import type { UserId } from '#kernel/ids.ts';
import { hashToken } from '#platform/crypto.ts';

/** With its owner in it, so that one guess does not try everybody's codes at once. */
export function hashBackupCode(userId: UserId, code: string): Buffer {
  return hashToken(`${userId}\0${code}`);
}
