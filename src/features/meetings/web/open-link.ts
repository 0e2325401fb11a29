/** An address that a person may be sent to: http or https. Anything else in a calendar's data is text, not a link. */
export function openLink(text: string | null): { href: string; host: string } | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  return { href: url.href, host: url.host };
}
