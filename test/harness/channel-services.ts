import { createHubspot, type HubspotDialect } from '../../src/emulators/hubspot/hubspot.ts';
import { createClock } from '../../src/emulators/kit/clock.ts';
import { connectControl } from '../../src/emulators/kit/control-client.ts';
import { type Fetch, fetchInProcess } from '../../src/emulators/kit/fetch-in-process.ts';
import { createSlack, type SlackDialect } from '../../src/emulators/slack/slack.ts';
import { createTwilio, type TwilioDialect } from '../../src/emulators/twilio/twilio.ts';
import { AddressRefusedError, FetchError, type SafeFetch } from '../../src/platform/fetch.ts';
import { type FixedClock, fixedClock } from './fixed-clock.ts';

/** A call that somebody's own webhook got. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

export const twilioAccount = { sid: `AC${'a'.repeat(32)}`, token: 'b'.repeat(32), number: '+14155550100' };
export const slackAccount = {
  token: 'xoxb-1-2-abc',
  channel: 'C0GENERAL',
  hook: 'https://hooks.slack.com/services/T0ACME/B0HOOK/secret',
};
export const hubspotToken = 'pat-eu1-abc';
export const webhookUrl = 'https://crm.example.org/hooks/holdfast?key=hidden';

/** Twilio, Slack, HubSpot and a webhook of somebody's own, in this process; their time and ours pass together. */
export async function openChannelServices(): Promise<ChannelServices> {
  const clock = fixedClock();
  const theirs = createClock(clock.nowMs());
  const twilio = createTwilio({ clock: theirs });
  const [toTwilio, toSlack, toHubspot] = [twilio, createSlack({ clock: theirs }), createHubspot({ clock: theirs })].map(
    (served) => fetchInProcess(served as typeof twilio),
  ) as [Fetch, Fetch, Fetch];
  const received: Received[] = [];
  const services: ChannelServices = {
    clock,
    pass(seconds) {
      clock.advance({ seconds });
      theirs.set(clock.nowMs());
    },
    twilio: connectControl('http://twilio', toTwilio),
    slack: connectControl('http://slack', toSlack),
    hubspot: connectControl('http://hubspot', toHubspot),
    deliverWith: (send) => twilio.emulator.deliveries.sendWith(send),
    received,
    answer: () => ({ status: 204 }),
    async apiFetch(url, init) {
      const { host } = new URL(url);
      if (host === 'api.twilio.com') return toTwilio(url, init);
      if (host === 'slack.com') return toSlack(url, init);
      if (host === 'api.hubapi.com') return toHubspot(url, init);
      throw new Error(`nothing answers at ${host}`);
    },
    fetch: {
      dispatcher: undefined as never,
      async request({ url, method = 'GET', headers = {}, body }) {
        const { host } = new URL(url);
        if (host === 'hooks.slack.com') {
          const answer = await toSlack(url, {
            method,
            headers,
            ...(body !== undefined && { body: String(body) }),
          }).catch((cause) => {
            throw new FetchError('UNREACHABLE', 'The server could not be reached.', { cause });
          });
          return answerOf(answer.status, Object.fromEntries(answer.headers), await answer.text());
        }
        if (host !== new URL(webhookUrl).host) {
          throw new FetchError('UNREACHABLE', 'The server could not be reached.', {
            cause: new AddressRefusedError(host, 443, 'not every address of it is public'),
          });
        }
        received.push({ headers, body: String(body ?? '') });
        const { status, headers: back = {} } = services.answer();
        return answerOf(status, back, '');
      },
      close: async () => undefined,
    },
  };
  await services.twilio.seed({
    sid: twilioAccount.sid,
    authToken: twilioAccount.token,
    numbers: [{ number: twilioAccount.number }],
  });
  await services.slack.seed({
    workspace: 'T0ACME',
    channels: [
      { id: slackAccount.channel, name: 'general' },
      { id: 'C0CLOSED', name: 'closed', joined: false },
    ],
    tokens: [{ token: slackAccount.token }],
    webhooks: [{ path: new URL(slackAccount.hook).pathname, channel: slackAccount.channel }],
  });
  await services.hubspot.seed({ portal: 7, token: hubspotToken });
  return services;
}

export interface ChannelServices {
  clock: FixedClock;
  pass(seconds: number): void;
  twilio: ReturnType<typeof connectControl<TwilioDialect>>;
  slack: ReturnType<typeof connectControl<SlackDialect>>;
  hubspot: ReturnType<typeof connectControl<HubspotDialect>>;
  /** Sets the sender of Twilio's callbacks. */
  deliverWith(send: Parameters<ReturnType<typeof createTwilio>['emulator']['deliveries']['sendWith']>[0]): void;
  /** Requests to `webhookUrl`, and the answer to them. */
  received: Received[];
  answer(): { status: number; headers?: Record<string, string> };
  apiFetch: Fetch;
  fetch: SafeFetch;
}

function answerOf(status: number, headers: Record<string, string>, body: string) {
  return { status, headers, body, bytes: Buffer.from(body) };
}
