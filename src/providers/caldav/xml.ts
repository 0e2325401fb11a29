import { SaxesParser } from 'saxes';
import { badAnswer } from '../rest/network-failures.ts';
import { loginPage, notCaldav } from './errors.ts';

/**
 * WebDAV XML, streamed. A document type is refused outright, so no entity can expand; depth and the number of answers
 * are bounded; values under a propstat that is not 2xx are missing, not empty.
 */

/** An element under its well-known prefix (`d:href`, `c:calendar-data`), whatever prefix the server used. */
export interface XmlNode {
  name: string;
  text: string;
  /** Value of the attribute `name`, the only one CalDAV keeps data in (`<c:comp name="VEVENT"/>`). */
  label: string | undefined;
  children: XmlNode[];
}

export interface DavResponse {
  href: string;
  /** Status of the whole resource, where the server gave one (tombstones, refusals). */
  status: number | null;
  /** Precondition names under `d:error`, e.g. `d:valid-sync-token`. */
  conditions: string[];
  /** Properties of 2xx propstats only. */
  props: Map<string, XmlNode>;
  /** True when at least one propstat was there, so that "asked and missing" differs from "said nothing". */
  answered: boolean;
}

export interface Multistatus {
  syncToken: string | null;
  responses: number;
}

export type XmlBody = string | AsyncIterable<Uint8Array>;

const prefixes: Record<string, string> = {
  'DAV:': 'd:',
  // SOGo writes its UID conflict in this namespace, without the colon.
  DAV: 'd:',
  'urn:ietf:params:xml:ns:caldav': 'c:',
  'http://calendarserver.org/ns/': 'cs:',
  'http://apple.com/ns/ical/': 'ical:',
};

const maxDepth = 64;
/** Above any calendar we know; a listing beyond it is an attack or a loop. */
const maxResponses = 250_000;

/**
 * Reads a multistatus, handing over each response as soon as it is complete.
 *
 * Errors: ProviderError transient `BAD_ANSWER` (not well formed, cut off, with a document type), `LOGIN_PAGE` (HTML),
 * `NOT_CALDAV` (some other document). Source: RFC 4918 13, RFC 6578 6.
 */
export async function readMultistatus(
  body: XmlBody,
  onResponse: (response: DavResponse) => void,
): Promise<Multistatus> {
  const result: Multistatus = { syncToken: null, responses: 0 };
  let rootSeen = false;
  await parse(
    body,
    (depth, node) => {
      if (!rootSeen) {
        rootSeen = true;
        if (node.name === 'html') throw loginPage();
        if (node.name !== 'd:multistatus') throw notCaldav();
      }
      return depth === 2;
    },
    (node) => {
      if (node.name === 'd:response') {
        result.responses += 1;
        if (result.responses > maxResponses) throw badAnswer('it lists too many objects');
        onResponse(toResponse(node));
      } else if (node.name === 'd:sync-token') {
        result.syncToken = node.text.trim() || null;
      }
    },
  );
  return result;
}

/** Names of the preconditions in an error body, e.g. `['d:valid-sync-token']`; empty when the body is something else. */
export async function readConditions(body: string): Promise<string[]> {
  if (!body.trimStart().startsWith('<')) return [];
  const found: string[] = [];
  try {
    await parse(
      body,
      (depth) => depth === 1,
      (root) => {
        if (root.name === 'd:error') found.push(...conditionsIn(root));
        for (const child of root.children) if (child.name === 'd:error') found.push(...conditionsIn(child));
      },
    );
  } catch {
    // The status already says that it failed; an unreadable explanation only means a less precise message.
    return found;
  }
  return found;
}

export function childNamed(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name);
}

/** Every `d:href` directly under the node. */
export function hrefsIn(node: XmlNode | undefined): string[] {
  if (node === undefined) return [];
  return node.children
    .filter((child) => child.name === 'd:href')
    .map((child) => child.text.trim())
    .filter(Boolean);
}

export function escapeXml(text: string): string {
  return /[&<>"]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    : text;
}

/** References to characters that XML does not allow, such as `&#x1A;`. */
const forbidden = /&#(?:x(?:[0-8bcef]|1[0-9a-f]|fff[ef])|[0-8]|1[124-9]|2[0-9]|3[01]);/gi;

/**
 * Builds nodes and hands over those for which `isUnit` said yes when they opened; finished units are dropped at once, so
 * memory is one response and not the document.
 */
async function parse(
  body: XmlBody,
  isUnit: (depth: number, node: XmlNode) => boolean,
  onUnit: (node: XmlNode) => void,
): Promise<void> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: XmlNode[] = [];
  let unitDepth = 0;
  let hasForbidden = false;
  parser.on('doctype', (doctype) => {
    throw /^\s*html/i.test(doctype) ? loginPage() : badAnswer('it carries a document type, which is refused');
  });
  parser.on('error', (error) => {
    // Servers pass control characters of old events through; one bad title must not hide a whole calendar.
    hasForbidden = /malformed character entity/.test(error.message);
    const isOfText = hasForbidden || /disallowed character|undefined entity/.test(error.message);
    if (!isOfText) throw badAnswer('it is not well formed', error);
  });
  parser.on('opentag', (tag) => {
    if (open.length >= maxDepth) throw badAnswer('it is nested too deeply');
    const uri = tag.uri;
    const known = prefixes[uri];
    const node: XmlNode = {
      name: known === undefined ? nameOutside(uri, tag.local) : known + tag.local,
      text: '',
      label: tag.attributes.name?.value,
      children: [],
    };
    open.push(node);
    if (unitDepth === 0) {
      if (isUnit(open.length, node)) unitDepth = open.length;
    } else {
      open[open.length - 2]?.children.push(node);
    }
  });
  const addText = (text: string) => {
    const node = open[open.length - 1];
    if (node !== undefined && unitDepth > 0) node.text += hasForbidden ? text.replaceAll(forbidden, '') : text;
    hasForbidden = false;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const node = open.pop();
    if (node !== undefined && open.length + 1 === unitDepth) {
      unitDepth = 0;
      onUnit(node);
    }
  });
  let empty = true;
  if (typeof body === 'string') {
    empty = body.trim() === '';
    if (!empty) parser.write(trimmedStart(body));
  } else {
    const decoder = new TextDecoder();
    for await (const chunk of body) {
      let text = decoder.decode(chunk, { stream: true });
      if (empty) {
        text = trimmedStart(text);
        if (text === '') continue;
        empty = false;
      }
      parser.write(text);
    }
    const rest = decoder.decode();
    if (rest !== '') parser.write(rest);
  }
  if (empty) throw badAnswer('it is empty');
  parser.close();
}

/** A declaration after blank lines or a byte order mark is not XML, yet servers behind templates send it. */
function trimmedStart(text: string): string {
  const first = text.charCodeAt(0);
  return first === 0x3c ? text : text.replace(/^[\uFEFF\s]+/, '');
}

function nameOutside(uri: string, local: string): string {
  return local.toLowerCase() === 'html' ? 'html' : `{${uri}}${local}`;
}

function conditionsIn(error: XmlNode): string[] {
  return error.children.map((child) => child.name);
}

function toResponse(node: XmlNode): DavResponse {
  const response: DavResponse = { href: '', status: null, conditions: [], props: new Map(), answered: false };
  for (const child of node.children) {
    switch (child.name) {
      case 'd:href':
        if (response.href === '') response.href = child.text.trim();
        break;
      case 'd:status':
        response.status = statusIn(child.text);
        break;
      case 'd:error':
        response.conditions.push(...conditionsIn(child));
        break;
      case 'd:propstat':
        readPropstat(child, response);
        break;
    }
  }
  return response;
}

function readPropstat(propstat: XmlNode, response: DavResponse): void {
  let status = 200;
  let prop: XmlNode | undefined;
  for (const child of propstat.children) {
    if (child.name === 'd:status') status = statusIn(child.text) ?? 200;
    else if (child.name === 'd:prop') prop = child;
    else if (child.name === 'd:error') response.conditions.push(...conditionsIn(child));
  }
  response.answered = true;
  if (status >= 200 && status < 300) {
    for (const property of prop?.children ?? []) response.props.set(property.name, property);
  }
}

/** `HTTP/1.1 404 Not Found` gives 404. */
function statusIn(text: string): number | null {
  const found = /\b(\d{3})\b/.exec(text.replace(/^\s*HTTP\/[\d.]+/i, ''));
  return found === null ? null : Number(found[1]);
}
