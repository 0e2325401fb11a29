import type { FindContactOwner } from '#features/booking/public.ts';
import { readAlone } from '#platform/reading.ts';
import { ownerReading } from './store/owner-rows.ts';

/** Who of these people looks after the guest at an address, as their team has it; null where it is nobody of them. */
export const findOwner: FindContactOwner = async (db, { teamId, email, among }) => {
  const owner = await readAlone(db, ownerReading(teamId, email));
  return owner !== null && among.includes(owner) ? owner : null;
};
