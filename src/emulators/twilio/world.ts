/** A project at Twilio, with what its owner bought. */
export interface Account {
  sid: string;
  authToken: string;
  name: string;
  status: 'active' | 'suspended' | 'closed';
  /** Numbers that it may send from, with the address that their inbound messages go to. */
  numbers: Map<string, { smsUrl: string | null }>;
  /** Messaging services by their sid: the number they send from, and the address of inbound messages. */
  services: Map<string, { number: string; inboundUrl: string | null }>;
}

export interface Message {
  sid: string;
  accountSid: string;
  direction: 'outbound-api' | 'inbound';
  from: string;
  to: string;
  body: string;
  serviceSid: string | null;
  statusCallback: string | null;
  createdMs: number;
  /** Set where the network does not deliver it. */
  errorCode: number | null;
}

export interface Knobs {
  /** Messages a second of one sender; what is more waits in Twilio's queue, which refuses nothing. */
  requestsPerSecond: number;
  /** Numbers that the network does not reach, with its reason: 30003 is a phone that is off. */
  undelivered: Record<string, number>;
}

export interface World {
  accounts: Map<string, Account>;
  messages: Message[];
  /** `from to`: the owner of `to` wrote STOP to `from`. */
  optOuts: Set<string>;
  recent: Map<string, number[]>;
  made: number;
  knobs: Knobs;
}

export const createWorld = (): World => ({
  accounts: new Map(),
  messages: [],
  optOuts: new Set(),
  recent: new Map(),
  made: 0,
  knobs: { requestsPerSecond: 100, undelivered: {} },
});

/** `SM` and 32 digits: another one each time, the same ones in every run. */
export function nextSid(world: World, prefix: string): string {
  world.made += 1;
  return `${prefix}${world.made.toString(16).padStart(32, '0')}`;
}

const queuedMs = 1_000;
const sentMs = 3_000;

/** Where a message has got to. Source: "Messages resource", message statuses. */
export function statusOf(message: Message, nowMs: number): string {
  if (message.direction === 'inbound') return 'received';
  const ageMs = nowMs - message.createdMs;
  if (ageMs < queuedMs) return message.serviceSid === null ? 'queued' : 'accepted';
  if (ageMs < sentMs) return 'sent';
  return message.errorCode === null ? 'delivered' : 'undelivered';
}

/** When a status callback leaves after the message was made. */
export const callbackDelays = { sent: queuedMs, delivered: sentMs, undelivered: sentMs } as const;
