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
 * Whether people may sign in at the emulated providers. Anybody may be anybody there. A browser needs the key of the printed
 * address, and only where that key also reads every mail it opens no further account.
 */
export function isSimulatedSignInOn(
  config: Pick<Config, 'simulatedProviders' | 'role' | 'publicUrl' | 'showsMail'>,
): boolean {
  return isSimulationOn(config) && config.showsMail && isLoopbackHost(new URL(config.publicUrl).hostname);
}
