/** What somebody can have of each; beyond, nothing is added by itself. */
export const mostContacts = 20_000;
export const mostTags = 20;
export const mostNotes = 500;
export const longest = {
  name: 200,
  address: 254,
  phone: 40,
  company: 200,
  tag: 40,
  note: 4_000,
  subject: 200,
} as const;

/** A meeting of more others than this is a crowd: it makes nobody known. */
export const mostOthers = 50;

export const importLimits = { bytes: 2 * 1024 * 1024, rows: 5_000 } as const;

/** Mails that a person can have sent: to all contacts, and to one. */
export const followUpsADay = { all: 30, one: 3 } as const;

/** For how long a deletion can be taken back. */
export const keptMs = 30 * 86_400_000;
