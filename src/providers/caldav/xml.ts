import { SaxesParser } from 'saxes';
import { type Sliced, type WorkBudget, withoutPause } from '#kernel/work-budget.ts';
import { inSlices, nextTurn } from '#platform/in-slices.ts';
import { badAnswer, tooMuchData } from '../rest/network-failures.ts';
import { tokenOf } from './cursor.ts';
import { loginPage, notCaldav } from './errors.ts';

/**
 * WebDAV XML, streamed and parsed in slices. A document type is refused outright, so no entity can expand. Depth,
 * elements, attributes and faults are bounded. Values under a propstat that is not 2xx are missing, not empty.
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

/** An answer with XML. Its computing time counts against the budget. */
export interface XmlAnswer {
  body: XmlBody;
  /** Where it came from. */
  url: string;
  budget?: WorkBudget | undefined;
}

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
/** `parts` are elements and attributes. */
const most = {
  /** A listing names an object in eight elements, so that it has room for 37,500. Parsing takes half a second. */
  parts: 300_000,
  /** The longest known are lists of privileges and of addresses. */
  partsOfUnit: 5_000,
  attributesOfTag: 100,
  /** Characters and references that XML does not allow; each costs some microseconds. */
  faults: 10_000,
  /** Without a tag between them: one text, comment or value. A comment of as many takes 250 ms of CPU. */
  charsOfPart: 1_500_000,
};
/** Parsed between two pauses, in some milliseconds at worst. */
const pieceChars = 8_192;
/** Gathered of a stream before it is parsed. */
const gatheredChars = 65_536;

/**
 * Reads a multistatus, handing over each response as soon as it is complete.
 *
 * Errors: ProviderError transient `BAD_ANSWER` (not well formed, cut off, with a document type), `LOGIN_PAGE` (HTML),
 * `NOT_CALDAV` (some other document), `TOO_LARGE` (more parts than an answer can have); WorkLimitError past the budget.
 * Source: RFC 4918 13, RFC 6578 6.
 */
export async function readMultistatus(
  answer: XmlAnswer,
  onResponse: (response: DavResponse) => void,
): Promise<Multistatus> {
  const result: Multistatus = { syncToken: null, responses: 0 };
  let rootSeen = false;
  await parse(
    answer,
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
        if (result.responses > maxResponses) throw tooMuchData(new URL(answer.url).host);
        onResponse(toResponse(node));
      } else if (node.name === 'd:sync-token') {
        result.syncToken = tokenOf(node.text);
      }
    },
  );
  return result;
}

/** Names of the preconditions in an error body, e.g. `['d:valid-sync-token']`; empty when the body is something else. */
export async function readConditions(answer: XmlAnswer & { body: string }): Promise<string[]> {
  if (!answer.body.trimStart().startsWith('<')) return [];
  const found: string[] = [];
  try {
    await parse(
      answer,
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

/** Characters of the longest address that is read. */
const longestHref = 2_000;

/** Every `d:href` directly under the node that is no longer than an address can be. */
export function hrefsIn(node: XmlNode | undefined): string[] {
  if (node === undefined) return [];
  return node.children
    .filter((child) => child.name === 'd:href' && child.text.length <= longestHref)
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
export async function parse(
  { body, url, budget }: XmlAnswer,
  isUnit: (depth: number, node: XmlNode) => boolean,
  onUnit: (node: XmlNode) => void,
): Promise<void> {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const open: XmlNode[] = [];
  let unitDepth = 0;
  let hasForbidden = false;
  const count = { parts: 0, partsOfUnit: 0, attributesOfTag: 0, faults: 0, charsOfPart: 0 };
  const add = (what: keyof typeof count, amount = 1) => {
    count[what] += amount;
    if (count[what] > most[what]) throw tooMuchData(new URL(url).host);
  };
  const addPart = () => {
    count.charsOfPart = 0;
    add('parts');
    add('partsOfUnit');
  };
  parser.on('attribute', () => {
    addPart();
    add('attributesOfTag');
  });
  parser.on('doctype', (doctype) => {
    throw /^\s*html/i.test(doctype) ? loginPage() : badAnswer("it has a document type, which isn't allowed");
  });
  parser.on('error', (error) => {
    // Servers pass control characters of old events through; one bad title must not hide a whole calendar.
    const isForbidden = error.message === 'malformed character entity.';
    const isOfText = isForbidden || ['disallowed character.', 'undefined entity.'].includes(error.message);
    // the message may quote all of the answer, and is logged
    if (!isOfText) throw badAnswer("it isn't well formed", new Error(error.message.slice(0, 200)));
    hasForbidden ||= isForbidden;
    add('faults');
  });
  parser.on('opentag', (tag) => {
    if (unitDepth === 0) count.partsOfUnit = 0;
    count.attributesOfTag = 0;
    addPart();
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
    count.charsOfPart = 0;
    const node = open.pop();
    if (node !== undefined && open.length + 1 === unitDepth) {
      unitDepth = 0;
      onUnit(node);
    }
  });
  function* write(text: string): Sliced<void> {
    for (let from = 0; from < text.length; from += pieceChars) {
      const piece = text.slice(from, from + pieceChars);
      add('charsOfPart', piece.length);
      parser.write(piece);
      yield;
    }
  }
  const feed = (text: string) =>
    text.length <= pieceChars ? withoutPause(write(text)) : inSlices(write(text), budget);
  let empty = true;
  if (typeof body === 'string') {
    empty = body.trim() === '';
    if (!empty) await feed(trimmedStart(body));
  } else {
    const decoder = new TextDecoder();
    let gathered = '';
    for await (const chunk of body) {
      let text = decoder.decode(chunk, { stream: true });
      if (empty) {
        text = trimmedStart(text);
        if (text === '') continue;
        empty = false;
      }
      gathered += text;
      if (gathered.length < gatheredChars) continue;
      await nextTurn();
      await feed(gathered);
      gathered = '';
    }
    await feed(gathered + decoder.decode());
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
  const found = /\b(\d{3})\b/.exec(text.slice(0, 100).replace(/^\s*HTTP\/[\d.]+/i, ''));
  return found === null ? null : Number(found[1]);
}
