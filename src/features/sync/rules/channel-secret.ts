import type { ChannelId } from '#kernel/ids.ts';

/**
 * The secret of a channel: our id for it, a dot, and a random token. The id lets a delivery be looked up before the
 * provider's own channel id is known.
 */
export const channelSecret = (id: ChannelId, token: string): string => `${id}.${token}`;

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Our name of the channel that a delivery claims to come by; null where it is none of ours by its form. */
export function channelIdIn(secret: string): ChannelId | null {
  const id = secret.slice(0, Math.max(0, secret.indexOf('.')));
  return uuid.test(id) ? (id as ChannelId) : null;
}
