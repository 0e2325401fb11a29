import { type Clock, createClock } from '#emulators/kit/clock.ts';
import { createControl } from '#emulators/kit/control.ts';
import type { Served } from '#emulators/kit/drive.ts';
import { createEmulator, type Machine } from '#emulators/kit/emulator.ts';
import { pickFault } from '#emulators/kit/fault-table.ts';
import { answerApi } from './answer-api.ts';
import { answerWebhook } from './answer-webhook.ts';
import { errorReply, SlackError } from './errors.ts';
import { faults, operationGroups } from './fault-catalogue.ts';
import { answerPage } from './pages.ts';
import { createWorld, type Knobs, type Message, type World } from './world.ts';

export interface SeedCommand {
  workspace: string;
  name?: string;
  channels: { id: string; name: string; joined?: boolean }[];
  tokens?: { token: string; scopes?: string[] }[];
  /** Path of the webhook and the channel it posts to. */
  webhooks?: { path: string; channel: string }[];
}

export type ActCommand =
  | { do: 'archive'; channel: string }
  | { do: 'disable'; webhook: string }
  | { do: 'revoke'; token: string };

export interface SlackDialect {
  seed: SeedCommand;
  act: ActCommand;
  acted: object;
  snapshot: { messages: Message[] };
  knobs: Knobs;
}

/** An emulated Slack: incoming webhooks, and the few methods of the Web API that a bot which posts needs. */
export function createSlack({ clock = createClock() }: { clock?: Clock } = {}): Served<World> {
  const machine: Machine<World> = {
    provider: 'slack',
    createWorld,
    classify(_world, { path }) {
      const operation = path.startsWith('/services/')
        ? 'webhook'
        : path.startsWith('/api/')
          ? path.slice('/api/'.length)
          : null;
      return operation === null ? null : { operation, account: null, calendar: null, resource: null };
    },
    answer(world, request, moment) {
      if (request.path.startsWith('/services/')) return answerWebhook(world, request, moment);
      if (!request.path.startsWith('/api/')) return answerPage(world, request);
      try {
        return answerApi(world, request, moment);
      } catch (error) {
        if (error instanceof SlackError) return errorReply(error);
        throw error;
      }
    },
    operationGroups,
    faultNamed: (name, variant, match) => pickFault(faults, name, variant, match),
    retryAfterMs: () => null,
  };
  const emulator = createEmulator(machine, clock);
  const control = createControl(emulator, {
    seed(command) {
      const { workspace, name = 'Acme', channels, tokens = [], webhooks = [] } = command as SeedCommand;
      const { world } = emulator;
      world.workspaces.set(workspace, { id: workspace, name });
      for (const one of channels) {
        world.channels.set(one.id, {
          id: one.id,
          name: one.name,
          workspace,
          archived: false,
          joined: one.joined ?? true,
        });
      }
      for (const { token, scopes = ['chat:write', 'channels:history'] } of tokens) {
        world.tokens.set(token, { workspace, user: 'U0HOLDFAST', botId: 'B0HOLDFAST', scopes, revoked: false });
      }
      for (const { path, channel } of webhooks) world.webhooks.set(path, { workspace, channel, disabled: false });
    },
    act(command) {
      const asked = command as ActCommand;
      const { world } = emulator;
      if (asked.do === 'archive') world.channels.get(asked.channel)!.archived = true;
      else if (asked.do === 'disable') world.webhooks.get(asked.webhook)!.disabled = true;
      else world.tokens.get(asked.token)!.revoked = true;
      return {};
    },
    snapshot: () => ({ messages: emulator.world.messages }),
    knobs: (changes) => Object.assign(emulator.world.knobs, changes),
  });
  return { emulator, control };
}
