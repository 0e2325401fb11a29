import { type ControlClient, connectControl } from '#emulators/kit/control-client.ts';
import type { Emulator } from '#emulators/kit/emulator.ts';
import { listen } from '#emulators/kit/listen.ts';
import { sendToLoopback } from '#emulators/kit/send-to-loopback.ts';
import { createGoogle, type GoogleDialect, type GoogleOptions } from './google.ts';
import type { World } from './world.ts';

/** Endpoints of the adapter's configuration: real Google has them at four hosts, the emulator at one. */
export interface GoogleEndpoints {
  apiBase: string;
  authorizeUrl: string;
  tokenUrl: string;
  revokeUrl: string;
  userinfoUrl: string;
  jwksUrl: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
}

export interface LaunchedGoogle {
  baseUrl: string;
  endpoints: GoogleEndpoints;
  control: ControlClient<GoogleDialect>;
  emulator: Emulator<World>;
  close(): Promise<void>;
}

/** Serves an emulated Google on a loopback port that delivers its notifications automatically. */
export async function launchGoogle(options: GoogleOptions & { port?: number } = {}): Promise<LaunchedGoogle> {
  const served = createGoogle(options);
  served.emulator.deliveries.sendWith(sendToLoopback);
  served.emulator.deliveries.setMode('auto');
  const { url, close } = await listen(served, options.port ?? 0);
  const baseUrl = options.origin ?? url;
  const [clientId, { secret }] = Object.entries(served.emulator.world.knobs.clients)[0]!;
  return {
    baseUrl,
    endpoints: endpointsAt(baseUrl, clientId, secret),
    control: connectControl<GoogleDialect>(url),
    emulator: served.emulator,
    close,
  };
}

export function endpointsAt(baseUrl: string, clientId: string, clientSecret: string): GoogleEndpoints {
  return {
    apiBase: `${baseUrl}/calendar/v3`,
    authorizeUrl: `${baseUrl}/o/oauth2/v2/auth`,
    tokenUrl: `${baseUrl}/token`,
    revokeUrl: `${baseUrl}/revoke`,
    userinfoUrl: `${baseUrl}/v1/userinfo`,
    jwksUrl: `${baseUrl}/oauth2/v3/certs`,
    issuer: baseUrl,
    clientId,
    clientSecret,
  };
}
