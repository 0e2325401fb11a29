import { currentSubscription, decideEntitlement, entitledUntil, isLive, type Standing } from './entitlements.ts';

const dayMs = 86_400_000;
/** So long before a trial ends people are told. */
export const noticeMs = 3 * dayMs;
/** So long what happened is news: shorter than the outbox knows what it has sent, so that nothing is told twice. */
export const newsMs = 14 * dayMs;

/** What somebody should be told by mail; `of` is what it is about, and is told of once. */
export interface Notice {
  kind: 'trial' | 'first-payment' | 'failed' | 'ended';
  of: string;
  /** When it ends, or has ended. */
  atMs: number;
}

/** A pure function of what was fetched and the time: who asks again, or late, gets the same as long as it is so. */
export function planNotice(standing: Standing, nowMs: number): Notice | null {
  const subscription = currentSubscription(standing.subscriptions);
  const isSoon = (ms: number) => nowMs < ms && ms <= nowMs + noticeMs;
  if (subscription === null || !isLive(subscription)) {
    const { source, untilMs } = decideEntitlement(standing, nowMs);
    if (source === 'trial' && untilMs !== null && isSoon(untilMs))
      return { kind: 'trial', of: `${untilMs}`, atMs: untilMs };
    const endedMs = subscription?.status === 'canceled' ? subscription.endedMs : null;
    if (subscription === null || endedMs === null || endedMs <= nowMs - newsMs) return null;
    return { kind: 'ended', of: subscription.id, atMs: endedMs };
  }
  const { id, status, trialEndsMs, cancelsMs, unpaidSinceMs } = subscription;
  if (status === 'trialing' && trialEndsMs !== null && cancelsMs === null && isSoon(trialEndsMs))
    return { kind: 'first-payment', of: `${id}:${trialEndsMs}`, atMs: trialEndsMs };
  const untilMs = entitledUntil(subscription);
  if (status === 'past_due' && unpaidSinceMs !== null && untilMs !== null && nowMs < untilMs)
    return { kind: 'failed', of: `${id}:${unpaidSinceMs}`, atMs: untilMs };
  return null;
}
