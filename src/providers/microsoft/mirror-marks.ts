import type { MirrorIdentity, TagVerifier } from '#kernel/mirror-identity.ts';

/**
 * The two marks of a mirror. The transactionId is written once, comes with every read, delta included, and carries the
 * whole identity with its tag, so that it proves itself; the extended property can be searched for, and delta does not
 * show it. Source: event resource type (transactionId), singleValueLegacyExtendedProperty.
 */

/** GUID of our property set; the name is part of the id and its case counts. */
export const tagProperty = 'String {3f0c7a52-8f0e-4d1e-9a52-6c0f4b1d7e21} Name holdfast';

/** The property by which an event that a person made here is found again; it says nothing of whose it is. */
export const identityProperty = 'String {3f0c7a52-8f0e-4d1e-9a52-6c0f4b1d7e21} Name holdfastEvent';

/** The transactionId of an event that a person made here. No block of ours has one of this form. */
export const personsTransaction = (key: string): string => `hfe1:${key}`;

/** `hf1:<key>:<generation>:<tag>` */
export function transactionIdOf({ key, generation, tag }: MirrorIdentity): string {
  return `hf1:${key}:${generation}:${tag}`;
}

/** The UID that a transactionId proves to be ours, or null for any other. */
export function ownUid(transactionId: string | null | undefined, tags: TagVerifier): string | null {
  const match = /^hf1:([0-9a-v]{1,64}):([1-9]\d{0,8}):(.{1,128})$/.exec(transactionId ?? '');
  if (match === null) return null;
  const uid = `${match[1]}-g${match[2]}@holdfast.invalid`;
  return tags.verify(uid, match[3] ?? '') ? uid : null;
}
