/** A meeting link that a person may be sent to: http or https. Anything else in a calendar's data is text, not a link. */
export function safeLink(text: string | undefined): { href: string; host: string } | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return { href: url.href, host: url.host };
}
