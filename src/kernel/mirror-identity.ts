/**
 * Deterministic identity of a mirror. The same origin, target and generation always give the same UID, so a write whose
 * outcome is unknown can be repeated or adopted and never makes a second object.
 */
export interface MirrorIdentity {
  /** base32hex of a keyed hash over (target calendar, origin calendar, origin UID, recurrence id); letters a-v, digits. */
  key: string;
  /** Counts up when an identity is burnt (deleted by its user, refused by the provider). Starts at 1. */
  generation: number;
  /** `<key>-g<generation>@holdfast.invalid`: iCalendar UID, Graph transaction id; `key` + generation for Google. */
  uid: string;
  /** Value of the tag written on the object: `1:<mac of uid>`. */
  tag: string;
}

/** Says whether a tag found on an object was written by this install for exactly this UID. */
export interface TagVerifier {
  verify(uid: string, tag: string): boolean;
}
