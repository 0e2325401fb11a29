import { html, type Markup } from '#kernel/html.ts';
import { directionOf } from '#kernel/languages.ts';

/** A page that needs nothing but itself: no bundle, no database, no script. */
export interface Notice {
  language: string;
  title: string;
  text: string;
  /** Said more quietly. */
  more: string;
  /** The way on. */
  link?: { to: string; label: string } | undefined;
  /** Seconds until the page reloads. */
  refreshSeconds?: number | undefined;
}

/** `framed`: of a page that other sites embed. Nothing on it changes anything, so each of them may show it. */
export const noticePolicy = (framed: boolean) =>
  `default-src 'none'; style-src 'unsafe-inline'; frame-ancestors ${framed ? '*' : "'none'"}`;

export function writeNotice({ language, title, text, more, link, refreshSeconds }: Notice): string {
  const refresh: Markup | '' =
    refreshSeconds === undefined ? '' : html`<meta http-equiv="refresh" content="${refreshSeconds}">`;
  const quiet: Markup | '' = more === '' ? '' : html`<p class="more">${more}</p>`;
  const button: Markup | '' = link === undefined ? '' : html`<p><a href="${link.to}">${link.label}</a></p>`;
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex">${refresh}<title>${title}</title><style>
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.6 system-ui,sans-serif;background:light-dark(#f7f8fa,#14161a);color:light-dark(#1b1f27,#e8eaee)}
main{max-width:32rem;padding:2rem}h1{font-size:1.5rem;line-height:1.3;margin:0 0 .75rem}p{margin:0 0 .75rem;overflow-wrap:anywhere}.more{color:light-dark(#4a5160,#a9b0bd)}
a{display:inline-block;margin-top:.5rem;padding:.5rem 1rem;border:1px solid light-dark(#8a919e,#767d8a);border-radius:8px;color:inherit;font-weight:600;text-decoration:none}
</style></head><body><main><h1>${title}</h1><p>${text}</p>${quiet}${button}</main></body></html>
`.text;
}
