import { isLoopbackHost } from '#kernel/loopback-host.ts';
import type { Config } from '#platform/config.ts';

/**
 * Whether people may connect simulated accounts. The emulators live in the process that serves and works: with split
 * roles each part would have a world of its own.
 */
export function isSimulationOn(config: Pick<Config, 'simulatedProviders' | 'role'>): boolean {
  return config.simulatedProviders && config.role === 'all';
}

/**
 * Whether people may sign in at the emulated providers. Anybody may be anybody there, so only on a machine that nobody
 * else comes to.
 */
export function isSimulatedSignInOn(config: Pick<Config, 'simulatedProviders' | 'role' | 'publicUrl'>): boolean {
  return isSimulationOn(config) && isLoopbackHost(new URL(config.publicUrl).hostname);
}
