import { hash } from 'node:crypto';
import { fullSyncRequired, invalidParameter } from './errors.ts';

/** Opaque to clients. */
export interface SyncToken {
  kind: 'sync';
  /** The list: a calendar's events, or a user's calendar list. */
  of: string;
  epoch: number;
  /** Changes after this revision are new. */
  revision: number;
  /** The query, without parameters that may differ between calls. */
  query: string;
  issuedAtMs: number;
}

export interface PageToken {
  kind: 'page';
  of: string;
  query: string;
  /** Null: a full list. */
  sinceRevision: number | null;
  /** State of the list when its first page was asked for: what the sync token at its end continues from. */
  revision: number;
  epoch: number;
  /** Sort key of the last one given. */
  after: string | null;
  /** Whether this page has been given twice already. */
  repeated: boolean;
}

export function printToken(token: SyncToken | PageToken): string {
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

export function readPageToken(text: string, of: string, query: string): PageToken {
  const token = parse(text);
  if (token?.kind !== 'page' || token.of !== of || token.query !== query) throw invalidParameter('pageToken');
  return token;
}

/** Source: "Synchronize resources efficiently"; other parameters than at first are a client's bug, and named one. */
export function readSyncToken(text: string, of: string, query: string, epoch: number, oldestMs: number): SyncToken {
  const token = parse(text);
  if (token?.kind !== 'sync' || token.of !== of) throw invalidParameter('syncToken');
  if (token.epoch !== epoch || token.issuedAtMs < oldestMs) throw fullSyncRequired();
  if (token.query !== query) throw invalidParameter('syncToken');
  return token;
}

export function checkEpoch(token: PageToken, epoch: number): void {
  if (token.epoch !== epoch) throw fullSyncRequired();
}

function parse(text: string): SyncToken | PageToken | null {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString()) as SyncToken | PageToken;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Parameters of paging and of the envelope, which may differ between the calls of one list. Time bounds cannot come
 * with a sync token, so the list continues without them.
 */
const FREE = [
  'pageToken',
  'syncToken',
  'showDeleted',
  'timeMin',
  'timeMax',
  'fields',
  'prettyPrint',
  'alt',
  'key',
  'quotaUser',
];

export function queryKey(query: URLSearchParams): string {
  const pairs = [...query].filter(([name]) => !FREE.includes(name)).map(([name, value]) => `${name}=${value}`);
  return hash('sha256', pairs.sort().join('&')).slice(0, 16);
}
