import type { ChannelId } from '#kernel/ids.ts';

/**
 * What we leave at a provider with a channel: our own name of it, a dot, and the secret. The name in front lets a
 * delivery be looked up that comes before the provider's own name of the channel is known.
 */
export const channelSecret = (id: ChannelId, token: string): string => `${id}.${token}`;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Our name of the channel that a delivery claims to come by; null where it is none of ours by its form. */
export function channelIdIn(secret: string): ChannelId | null {
  const id = secret.slice(0, Math.max(0, secret.indexOf('.')));
  return uuid.test(id) ? (id as ChannelId) : null;
}
