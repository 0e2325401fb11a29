import type { Config } from '#platform/config.ts';

/**
 * Whether people may connect simulated accounts. The emulators live in the process that serves and works: with split
 * roles each part would have a world of its own.
 */
export function isSimulationOn(config: Pick<Config, 'simulatedProviders' | 'role'>): boolean {
  return config.simulatedProviders && config.role === 'all';
}
