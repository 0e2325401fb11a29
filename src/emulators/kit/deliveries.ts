import type { Clock } from './clock.ts';
import type { Call, Heard } from './exchange.ts';

/** One notification on its way. */
export interface Delivery extends Call {
  id: number;
  /** The channel or subscription it belongs to. */
  channel: string;
  dueMs: number;
  attempt: number;
  state: 'waiting' | 'delivered' | 'dropped' | 'failed';
  /** Status of the last attempt; null before it, and where nobody answered. */
  status: number | null;
}

/** `auto`: sent as soon as due, as a provider does. `held`: nothing leaves before `pump`. */
export type DeliveryMode = 'auto' | 'held';

export type Send = (call: Call) => Promise<Heard>;

export interface Deliveries {
  mode: DeliveryMode;
  /** Everything announced since the last reset, in the order of sending. */
  list(): readonly Delivery[];
  waiting(): Delivery[];
  /** Whether one is due and leaves without `pump`, or waits for its answer. */
  isBusy(): boolean;
  enqueue(channel: string, call: Call, delayMs?: number): Delivery;
  /** Sets the carrier of calls; without one, nothing leaves. */
  sendWith(send: Send): void;
  send: Send;
  setMode(mode: DeliveryMode): void;
  /** Sends what is due, at most `count`, one after the other; gives what was tried. */
  pump(count?: number): Promise<Delivery[]>;
  drop(ids: number[]): void;
  /** One more copy of each, behind the last. */
  duplicate(ids: number[]): void;
  /** Moves these to the front, in this order; the others follow unchanged. */
  reorder(ids: number[]): void;
  delay(ids: number[], ms: number): void;
  /** Share of notifications that are lost on their way from now on, 0 to 1. */
  loss: number;
  clear(): void;
}

/** Longest sleep of a Node timer. */
const longestTimerMs = 2 ** 31 - 1;

export function createDeliveries(
  clock: Clock,
  retryAfterMs: (heard: Heard, attempt: number, url: string) => number | null,
  random: () => number,
  /** Headers of one attempt, as of a signature that holds for minutes. */
  signed: (delivery: Delivery) => Record<string, string> = () => ({}),
): Deliveries {
  let queue: Delivery[] = [];
  /** Waiting deliveries, in order: a long run leaves tens of thousands of finished ones behind. */
  let pending = new Set<Delivery>();
  let ids = 0;
  let timer: NodeJS.Timeout | null = null;
  let unanswered = 0;
  let carrier: Send = async () => ({ status: null, body: '', tookMs: 0 });
  const pick = (wanted: number[]) => [...pending].filter(({ id }) => wanted.includes(id));

  const attempt = async (delivery: Delivery): Promise<void> => {
    const waiting = pending;
    waiting.delete(delivery);
    delivery.attempt += 1;
    delivery.state = 'delivered';
    const { method, url, body } = delivery;
    const headers = { ...delivery.headers, ...signed(delivery) };
    unanswered += 1;
    const heard = await carrier({ method, url, headers, body }).finally(() => {
      unanswered -= 1;
    });
    delivery.status = heard.status;
    const againMs = retryAfterMs(heard, delivery.attempt, url);
    if (againMs !== null) {
      delivery.state = 'waiting';
      delivery.dueMs = clock.now() + againMs;
      waiting.add(delivery);
      wake();
    } else if (heard.status === null || heard.status >= 300) delivery.state = 'failed';
  };

  /** Due ones leave side by side, as they do from a provider's many machines. */
  const wake = (): void => {
    if (deliveries.mode !== 'auto') return;
    const nowMs = clock.now();
    for (const delivery of pending) if (delivery.dueMs <= nowMs) void attempt(delivery);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of pending) nextMs = Math.min(nextMs, dueMs);
    if (timer) clearTimeout(timer);
    timer = Number.isFinite(nextMs)
      ? setTimeout(wake, Math.min(longestTimerMs, Math.max(1, nextMs - clock.now()))).unref()
      : null;
  };
  clock.onJump(() => wake());

  const deliveries: Deliveries = {
    mode: 'held',
    loss: 0,
    list: () => queue,
    waiting: () => [...pending],
    isBusy: () =>
      unanswered > 0 || (deliveries.mode === 'auto' && [...pending].some(({ dueMs }) => dueMs <= clock.now())),
    enqueue(channel, call, delayMs = 0) {
      ids += 1;
      const lost = deliveries.loss > 0 && random() < deliveries.loss;
      const delivery: Delivery = {
        ...call,
        id: ids,
        channel,
        dueMs: clock.now() + delayMs,
        attempt: 0,
        state: lost ? 'dropped' : 'waiting',
        status: null,
      };
      queue.push(delivery);
      if (!lost) pending.add(delivery);
      // The answer to the request that caused it goes first, where it can.
      if (deliveries.mode === 'auto') setImmediate(wake);
      return delivery;
    },
    sendWith(send) {
      carrier = send;
    },
    send: (call) => carrier(call),
    setMode(mode) {
      deliveries.mode = mode;
      wake();
    },
    async pump(count = Number.POSITIVE_INFINITY) {
      const tried: Delivery[] = [];
      // deliveries that become due by a retry are left to the next pump
      const due = deliveries.waiting().filter(({ dueMs }) => dueMs <= clock.now());
      for (const delivery of due.slice(0, count)) {
        await attempt(delivery);
        tried.push(delivery);
      }
      return tried;
    },
    drop(wanted) {
      for (const delivery of pick(wanted)) {
        delivery.state = 'dropped';
        pending.delete(delivery);
      }
    },
    duplicate(wanted) {
      for (const delivery of pick(wanted)) {
        ids += 1;
        const copy = { ...delivery, id: ids };
        queue.push(copy);
        pending.add(copy);
      }
      wake();
    },
    reorder(wanted) {
      const first = wanted.flatMap((id) => pick([id]));
      queue = [...first, ...queue.filter((delivery) => !first.includes(delivery))];
      pending = new Set([...first, ...pending]);
    },
    delay(wanted, ms) {
      for (const delivery of pick(wanted)) delivery.dueMs += ms;
      wake();
    },
    clear() {
      queue = [];
      pending = new Set();
      deliveries.loss = 0;
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };
  return deliveries;
}
