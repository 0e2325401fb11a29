import { isSimulatedSignInOn } from '#features/simulation/public.ts';
import type { Output } from '#kernel/contract.ts';
import type { Config } from '#platform/config.ts';
import type { accessContract } from './contract.ts';

/** Which providers this install can sign people in at. Nobody else is asked. */
export function listSignInMethods(config: Config): Output<typeof accessContract.readSignInMethods> {
  const ofCalendars = (provider: 'google' | 'microsoft') => {
    if (config[provider] !== undefined) return 'on' as const;
    return isSimulatedSignInOn(config) ? ('simulated' as const) : ('off' as const);
  };
  return {
    google: ofCalendars('google'),
    microsoft: ofCalendars('microsoft'),
    apple: config.apple === undefined ? 'soon' : 'on',
    zoho: config.zoho === undefined ? 'soon' : 'on',
  };
}
