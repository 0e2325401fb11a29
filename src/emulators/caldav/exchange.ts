import type { Reply } from '#emulators/kit/exchange.ts';

const XML = 'application/xml; charset=utf-8';

export function xmlReply(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': XML, ...headers },
    body: `<?xml version="1.0" encoding="utf-8"?>\n${body}`,
  };
}

/** A failed precondition, named in the body. Source: RFC 4918 section 16. */
export function refuse(status: number, condition: string, detail = ''): Reply {
  const element = detail === '' ? `<${condition}/>` : `<${condition}>${detail}</${condition}>`;
  return xmlReply(status, `<D:error xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav">${element}</D:error>`);
}

const SPECIAL = /[&<>]/;

export function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function escapeAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;');
}
