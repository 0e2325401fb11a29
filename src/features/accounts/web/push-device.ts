import type { inboxContract } from '#features/inbox/contract.ts';
import type { CallInput } from '#kernel/contract.ts';

/** Whether this browser shows notices while no window is open, as far as the browser itself goes. */
export type Willingness = 'unable' | 'blocked' | 'unasked' | 'agreed';

type Agreement = NonNullable<CallInput<typeof inboxContract.keepDevice>['body']>;

const findWorker = () => navigator.serviceWorker?.getRegistration();

export async function readWillingness(): Promise<Willingness> {
  if (!('PushManager' in window && 'Notification' in window)) return 'unable';
  const worker = await findWorker();
  if (worker === undefined) return 'unable';
  if (Notification.permission === 'denied') return 'blocked';
  return (await worker.pushManager.getSubscription()) === null ? 'unasked' : 'agreed';
}

/**
 * Asks its person, by the browser's own question; null where they say no.
 * *Errors*: DOMException where the browser cannot reach its push service.
 */
export async function agree(key: string): Promise<Agreement | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const { pushManager } = await navigator.serviceWorker.ready;
  // the subscription may be for the key of another install at this address
  await (await pushManager.getSubscription())?.unsubscribe();
  const agreed = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  const { endpoint = '', keys = {} } = agreed.toJSON();
  return { endpoint, keys: { p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' } };
}

export async function disagree(): Promise<void> {
  const worker = await findWorker();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}
