import type { Database } from '#platform/db.ts';
import { isLoopback, takeNetworkAllowance, tryNetworkAllowance } from '#platform/limits.ts';
import { askedOfNetwork, askedUnderLoad, type NetworkLoad, unprovedOfNetwork } from './rules/booking-load.ts';

/**
 * Counts a booking for the network that it comes from.
 * *Errors*: AppError limited for a network with too many bookings that a mail asks about.
 */
export async function takeOfNetwork(db: Database, ip: string): Promise<NetworkLoad> {
  // behind a proxy that does not say for whom it asks, all guests would be one network
  if (isLoopback(ip)) return 'unknown';
  if (await tryNetworkAllowance(db, unprovedOfNetwork, ip)) return 'few';
  await takeNetworkAllowance(db, askedOfNetwork, ip);
  return (await tryNetworkAllowance(db, askedUnderLoad, ip)) ? 'many' : 'too-many-under-load';
}
