/**
 * How real servers differ from the RFCs and from each other, as data. The figures of the profiles were measured on
 * radicale 3.1.8, xandikos 0.2.8, davical 1.1.12, sogo 5.8.0 (2026-11-20), and cyrus 3.6.1 (2026-11-27).
 */
export interface Quirks {
  wellKnown: 301 | 302 | 404;
  /** False: no login is asked for, and the first user is everybody (a reverse proxy would do it). */
  authentication: boolean;
  updateStatus: 201 | 204;
  deleteAnswer: 204 | 'multistatus';
  ignoresIfNoneMatch: boolean;
  /** If-Match on a resource that is not there creates it. */
  ignoresIfMatchOnAbsent: boolean;
  ignoresIfMatchOnDelete: boolean;
  /** `account`: a UID is refused with 403 where any calendar of the user has it (RFC 6638 section 3.2.4.1). */
  uidConflict: 409 | 207 | 'accepted' | 'account';
  newUidAtSameHref: 403 | 409 | 'accepted';
  /** `counter`: starts again for each resource, so that a re-created one has the tag of its predecessor. */
  etags: 'hash' | 'counter';
  putTellsEtag: boolean;
  rewritesBody: 'no' | 'reorders' | 'strips-final-line-break';
  tokens: 'url' | 'bare' | 'data' | 'seconds';
  /** `stuck`: it says the same whatever happens; `contents`: what stands alike has one ctag, whatever came between. */
  ctags: 'tokens' | 'contents' | 'stuck' | 'none';
  invalidToken: 403 | 500 | 'lists-everything' | 'lists-everything-with-tombstones';
  tokenOfRecreated: 403 | 500 | 'empty';
  initialSyncListsTombstones: boolean;
  needsSyncLevel: boolean;
  /** False: REPORT sync-collection is refused; clients must list ETags. */
  syncCollection: boolean;
  /** Answers a sync with at most so many members and a 507 for the collection. */
  truncatesSyncAt: number | null;
  missingInMultiget: 404 | 'omitted';
  badCalendarData: 400 | 207 | 403 | 412 | 404;
  acceptsEmptyCalendar: boolean;
  acceptsTwoUids: boolean;
  acceptsMissingStart: boolean;
  /** Characters that the server leaves as they are where a client would percent-encode them. */
  unescapedInHrefs: string;
  maxResourceBytes: number;
  /** The server sends what attendees answer (RFC 6638). */
  autoSchedule: boolean;
}

/** Behavior as in RFC 4791, RFC 6578 and RFC 9110. */
const faithful: Quirks = {
  wellKnown: 301,
  authentication: true,
  updateStatus: 204,
  deleteAnswer: 204,
  ignoresIfNoneMatch: false,
  ignoresIfMatchOnAbsent: false,
  ignoresIfMatchOnDelete: false,
  uidConflict: 409,
  newUidAtSameHref: 'accepted',
  etags: 'hash',
  putTellsEtag: true,
  rewritesBody: 'no',
  tokens: 'url',
  ctags: 'tokens',
  invalidToken: 403,
  tokenOfRecreated: 403,
  initialSyncListsTombstones: false,
  needsSyncLevel: true,
  syncCollection: true,
  truncatesSyncAt: null,
  missingInMultiget: 404,
  badCalendarData: 400,
  acceptsEmptyCalendar: false,
  acceptsTwoUids: false,
  acceptsMissingStart: false,
  unescapedInHrefs: '',
  maxResourceBytes: 10_000_000,
  autoSchedule: false,
};

export const quirkProfiles = {
  faithful,
  radicale: {
    ...faithful,
    updateStatus: 201,
    deleteAnswer: 'multistatus',
    ctags: 'contents',
    newUidAtSameHref: 409,
    rewritesBody: 'reorders',
    initialSyncListsTombstones: true,
    needsSyncLevel: false,
    acceptsEmptyCalendar: true,
  },
  xandikos: {
    ...faithful,
    wellKnown: 302,
    authentication: false,
    uidConflict: 207,
    rewritesBody: 'reorders',
    tokens: 'bare',
    invalidToken: 500,
    tokenOfRecreated: 500,
    badCalendarData: 207,
    acceptsEmptyCalendar: true,
    acceptsTwoUids: true,
    acceptsMissingStart: true,
  },
  davical: {
    ...faithful,
    wellKnown: 404,
    uidConflict: 'accepted',
    tokens: 'data',
    invalidToken: 'lists-everything',
    tokenOfRecreated: 'empty',
    needsSyncLevel: false,
    missingInMultiget: 'omitted',
    badCalendarData: 412,
    acceptsTwoUids: true,
  },
  sogo: {
    ...faithful,
    wellKnown: 404,
    ignoresIfNoneMatch: true,
    ignoresIfMatchOnAbsent: true,
    ignoresIfMatchOnDelete: true,
    etags: 'counter',
    rewritesBody: 'strips-final-line-break',
    tokens: 'seconds',
    invalidToken: 'lists-everything-with-tombstones',
    tokenOfRecreated: 'empty',
    needsSyncLevel: false,
    badCalendarData: 404,
    acceptsTwoUids: true,
    acceptsMissingStart: true,
    unescapedInHrefs: '@',
  },
  cyrus: {
    ...faithful,
    uidConflict: 'account',
    newUidAtSameHref: 403,
    tokens: 'data',
    needsSyncLevel: false,
    badCalendarData: 403,
    acceptsMissingStart: true,
    unescapedInHrefs: '@',
  },
} satisfies Record<string, Quirks>;

export type QuirkProfile = keyof typeof quirkProfiles;
