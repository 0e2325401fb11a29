import { serialiseMirror } from '#kernel/ical/serialise-mirror.ts';
import type { MirrorIdentity } from '#kernel/mirror-identity.ts';
import type { MirrorBody } from '../port.ts';

/** The resource of a mirror. DTSTAMP is the moment of writing, as RFC 5545 asks of an object without METHOD. */
export function toText(identity: MirrorIdentity, body: MirrorBody, nowMs: number): string {
  return serialiseMirror(body, identity, { stampMs: nowMs });
}
