import type { UserId } from '#kernel/ids.ts';
import { hashToken } from '#platform/crypto.ts';

/** Of a code that few tries and an hour protect; nobody else's would fit. */
export const hashAddressCode = (userId: UserId, code: string) => hashToken(`workflow address ${userId} ${code}`);
