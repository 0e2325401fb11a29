export interface Workspace {
  id: string;
  name: string;
}

/** A bot's token, with what the app was allowed. */
export interface Token {
  workspace: string;
  user: string;
  botId: string;
  scopes: string[];
  revoked: boolean;
}

export interface Channel {
  id: string;
  name: string;
  workspace: string;
  archived: boolean;
  /** Whether the bot was invited. */
  joined: boolean;
}

/** An incoming webhook, by its path below `/services/`. */
export interface Webhook {
  workspace: string;
  channel: string;
  disabled: boolean;
}

export interface Message {
  ts: string;
  channel: string;
  text: string;
  by: 'bot' | 'webhook';
  botId: string;
  metadata: { event_type: string; event_payload: Record<string, unknown> } | null;
}

export interface Knobs {
  /** Messages a second in one channel. Source: "Rate limits", special limits. */
  perSecond: number;
}

export interface World {
  workspaces: Map<string, Workspace>;
  tokens: Map<string, Token>;
  channels: Map<string, Channel>;
  webhooks: Map<string, Webhook>;
  messages: Message[];
  recent: Map<string, number[]>;
  made: number;
  knobs: Knobs;
}

export const createWorld = (): World => ({
  workspaces: new Map(),
  tokens: new Map(),
  channels: new Map(),
  webhooks: new Map(),
  messages: [],
  recent: new Map(),
  made: 0,
  knobs: { perSecond: 1 },
});

export function keepMessage(world: World, message: Omit<Message, 'ts'>, nowMs: number): Message {
  world.made += 1;
  const kept = { ...message, ts: `${Math.floor(nowMs / 1_000)}.${String(world.made).padStart(6, '0')}` };
  world.messages.push(kept);
  return kept;
}
