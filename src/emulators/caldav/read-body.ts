import { SaxesParser, type SaxesTagNS } from 'saxes';

export const DAV = 'DAV:';
export const CALDAV = 'urn:ietf:params:xml:ns:caldav';
export const CALENDAR_SERVER = 'http://calendarserver.org/ns/';
export const APPLE = 'http://apple.com/ns/ical/';

/** An XML request body, reduced to what a CalDAV server asks of it. Names are `{namespace}local`. */
export interface RequestBody {
  root: string;
  /** Children of DAV:prop. */
  props: string[];
  /** Text of the properties that PROPPATCH and MKCALENDAR set. */
  values: Map<string, string>;
  hrefs: string[];
  syncToken: string | null;
  syncLevel: string | null;
  limit: number | null;
  /** Elements below CALDAV:filter, and whether one of them is a time-range or a property filter. */
  filters: string[];
  components: string[];
}

const cache = new Map<string, RequestBody>();
const CACHED_BODIES = 64;
const CACHED_BODY_CHARS = 2_000;

/** Null: not well-formed, or it carries a DTD. Short bodies repeat from call to call and are read once. */
export function readBody(text: string): RequestBody | null {
  const known = cache.get(text);
  if (known) return known;
  const body = parse(text);
  if (body && text.length <= CACHED_BODY_CHARS) {
    if (cache.size >= CACHED_BODIES) cache.clear();
    cache.set(text, body);
  }
  return body;
}

function parse(text: string): RequestBody | null {
  const parser = new SaxesParser({ xmlns: true });
  const path: string[] = [];
  const body: RequestBody = {
    root: '',
    props: [],
    values: new Map(),
    hrefs: [],
    syncToken: null,
    syncLevel: null,
    limit: null,
    filters: [],
    components: [],
  };
  let content = '';
  let failed = false;
  parser.on('error', () => {
    failed = true;
  });
  parser.on('doctype', () => {
    failed = true;
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    const name = `{${tag.uri}}${tag.local}`;
    if (path.length === 0) body.root = name;
    if (path.at(-1) === `{${DAV}}prop`) body.props.push(name);
    if (path.includes(`{${CALDAV}}filter`)) {
      body.filters.push(name);
      if (tag.local === 'comp-filter') body.components.push(String(tag.attributes.name?.value ?? ''));
    }
    path.push(name);
    content = '';
  });
  const onText = (chunk: string) => {
    content += chunk;
  };
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    const name = path.pop();
    const value = content.trim();
    content = '';
    if (path.at(-1) === `{${DAV}}prop` && name) body.values.set(name, value);
    else if (name === `{${DAV}}href`) body.hrefs.push(value);
    else if (name === `{${DAV}}sync-token`) body.syncToken = value;
    else if (name === `{${DAV}}sync-level`) body.syncLevel = value;
    else if (name === `{${DAV}}nresults`) body.limit = Number(value);
  });
  try {
    parser.write(text).close();
  } catch {
    // saxes throws only where no error listener is set, or on a misuse after an error: both mean "not well-formed".
    return null;
  }
  return failed || body.root === '' ? null : body;
}
