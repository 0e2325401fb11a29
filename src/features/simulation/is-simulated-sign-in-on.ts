import { isLoopbackHost } from '#kernel/loopback-host.ts';
import type { Config } from '#platform/config.ts';
import { isSimulationOn } from './is-simulation-on.ts';

/**
 * Whether people may sign in at the emulated providers. Anybody may be anybody there, so only on a machine that nobody
 * else comes to.
 */
export function isSimulatedSignInOn(config: Pick<Config, 'simulatedProviders' | 'role' | 'publicUrl'>): boolean {
  return isSimulationOn(config) && isLoopbackHost(new URL(config.publicUrl).hostname);
}
