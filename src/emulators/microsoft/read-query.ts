import { badRequest } from './graph-errors.ts';
import { findZone } from './graph-time.ts';

/** Preferences of a request. Source: "Prefer" rows of the Outlook calendar pages; RFC 7240. */
export interface Preferences {
  immutableIds: boolean;
  /** A name Outlook knows; what the client wrote is what comes back. */
  timeZone: string;
  bodyType: 'text' | 'html';
  maxPageSize: number | null;
  applied: string[];
}

export function readPreferences(header: string | undefined): Preferences {
  const preferences: Preferences = {
    immutableIds: false,
    timeZone: 'UTC',
    bodyType: 'html',
    maxPageSize: null,
    applied: [],
  };
  for (const match of (header ?? '').matchAll(/([\w.-]+)\s*=\s*(?:"([^"]*)"|([^\s,;]+))/g)) {
    const name = match[1]!.toLowerCase();
    const value = match[2] ?? match[3] ?? '';
    if (name === 'idtype') preferences.immutableIds = value === 'ImmutableId';
    else if (name === 'outlook.timezone') {
      if (!findZone(value)) throw badRequest('TimeZoneNotSupportedException', unsupportedZone(value));
      preferences.timeZone = value;
    } else if (name === 'outlook.body-content-type') preferences.bodyType = value === 'text' ? 'text' : 'html';
    else if (name === 'odata.maxpagesize') preferences.maxPageSize = Math.max(1, Number(value) || 1);
    else continue;
    preferences.applied.push(match[0]);
  }
  return preferences;
}

export function unsupportedZone(name: string): string {
  return `A valid TimeZone value must be specified. The following TimeZone value is not supported: '${name}'.`;
}

/** Names of system options are read with or without `$`, and without regard to case. Source: OData 4.01 URL conventions. */
export function readQuery(query: string): Map<string, string> {
  const options = new Map<string, string>();
  // Not URLSearchParams: Graph reads `+` as a plus, hence the advice to write %20.
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const mark = pair.indexOf('=');
    const name = decodePart(mark === -1 ? pair : pair.slice(0, mark));
    options.set(name.toLowerCase(), mark === -1 ? '' : decodePart(pair.slice(mark + 1)));
  }
  return options;
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw badRequest('BadRequest', `The query part '${text}' is not encoded.`);
  }
}

export function readCount(options: Map<string, string>, name: string, preset: number, max: number): number {
  const text = options.get(name);
  if (text === undefined) return preset;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0 || (name === '$top' && (count < 1 || count > max))) {
    throw badRequest('ErrorInvalidUrlQuery', `The value '${text}' of the query option '${name}' is out of range.`);
  }
  return count;
}

/** The properties asked for; null for all. */
export function readSelect(options: Map<string, string>): Set<string> | null {
  const text = options.get('$select');
  if (text === undefined) return null;
  return new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}

export interface Expand {
  exceptionOccurrences: boolean;
  /** Id of the one extended property that is asked for. */
  extendedId: string | null;
}

/** `$expand=exceptionOccurrences` and `$expand=singleValueExtendedProperties($filter=id eq '…')`. */
export function readExpand(options: Map<string, string>): Expand {
  const text = options.get('$expand') ?? '';
  const expand: Expand = { exceptionOccurrences: false, extendedId: null };
  const extended = /singleValueExtendedProperties\(\s*\$filter\s*=\s*id\s+eq\s+'((?:[^']|'')*)'\s*\)/.exec(text);
  if (extended) expand.extendedId = extended[1]!.replaceAll("''", "'");
  for (const part of text.replace(extended?.[0] ?? '', '').split(',')) {
    const name = part.trim().replace(/\(.*\)$/, '');
    if (name === '') continue;
    if (name === 'exceptionOccurrences') expand.exceptionOccurrences = true;
    else if (name !== 'calendar' && name !== 'attachments') {
      throw badRequest(
        'BadRequest',
        `Parsing OData Select and Expand failed: Could not find a property named '${name}'.`,
      );
    }
  }
  return expand;
}
