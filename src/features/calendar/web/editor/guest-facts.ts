/** The notification of guests: the person decides, the provider always mails, or nobody does. */
export type GuestMails = 'asked' | 'always' | 'never';

const known: Record<string, GuestMails> = {
  google: 'asked', // sendUpdates=all|none, docs/providers.md
  outlook: 'always', // Graph mails the attendees of every meeting
  exchange: 'always',
  holdfast: 'never', // our own calendar sends no invitations
};

/** CalDAV servers deliver invitations themselves where they do at all (RFC 6638). */
export function guestMailsOf(provider: string): GuestMails {
  return known[provider] ?? 'always';
}
