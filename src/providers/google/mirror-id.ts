import type { MirrorIdentity, TagVerifier } from '#kernel/mirror-identity.ts';

/**
 * The event id of a mirror: key, generation and tag, apart by a `g`, which no digit and no hex digit is. It proves
 * itself, because a Workspace was seen to drop extended properties without a word.
 *
 * Source: Google Calendar API, Events: insert, "id": base32hex (`a`-`v`, `0`-`9`), 5 to 1,024 characters, unique in its
 * calendar, and burnt for ever once the event is deleted.
 */
export function eventIdOf({ key, generation, tag }: MirrorIdentity): string {
  return `${key}g${generation}g${Buffer.from(tag).toString('hex')}`;
}

/** The UID under which an event id is a mirror of this install; null for every other event. */
export function mirrorUidOf(eventId: string, tags: TagVerifier): string | null {
  const parts = /^([0-9a-v]+)g(\d{1,9})g((?:[0-9a-f]{2})+)$/.exec(eventId);
  if (parts === null) return null;
  const uid = `${parts[1]}-g${parts[2]}@holdfast.invalid`;
  return tags.verify(uid, Buffer.from(parts[3] ?? '', 'hex').toString()) ? uid : null;
}
