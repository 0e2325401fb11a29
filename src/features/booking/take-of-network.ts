import type { Database } from '#platform/db.ts';
import { isLoopback, takeNetworkAllowance, tryNetworkAllowance } from '#platform/limits.ts';
import { askedOfNetwork, unprovedOfNetwork } from './rules/booking-load.ts';

/**
 * Counts a booking for the network that it comes from. True: the network has had its bookings without a proof.
 * *Errors*: AppError limited for a network with too many bookings that a mail asks about.
 */
export async function takeOfNetwork(db: Database, ip: string): Promise<boolean> {
  // behind a proxy that does not say for whom it asks, all guests would be one network
  if (isLoopback(ip)) return false;
  if (await tryNetworkAllowance(db, unprovedOfNetwork, ip)) return false;
  await takeNetworkAllowance(db, askedOfNetwork, ip);
  return true;
}
