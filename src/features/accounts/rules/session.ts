/** The name under which a browser keeps who is signed in: the guards and every screen share one answer. */
export const sessionKey = ['accounts', 'session'] as const;

/** A session lasts this long after its last use. */
export const sessionSeconds = 30 * 86_400;
/** A session ends this long after sign-in, however often it is used. *Source*: OWASP ASVS 5.0 7.3.2. */
export const sessionDays = 180;
/** Use prolongs it, but is not written down more often than this. */
export const sessionRenewalMinutes = 2;
/** Sensitive acts ask for a proof of who somebody is that is not older. */
export const recentProofMinutes = 10;
/** An administrator looks no longer than this at what somebody sees. */
export const impersonationMinutes = 30;
/** A session that was used within this time counts as open. */
export const activeMinutes = 5;
