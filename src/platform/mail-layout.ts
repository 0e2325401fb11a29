import { html, Markup } from '#kernel/html.ts';
import type { MailBlock, MailContent } from './mail-message.ts';

export interface MailLook {
  /** Of the install. */
  name: string;
  /** `#rrggbb`, dark enough for white text. */
  accent: string;
  /** Nobody has made it look otherwise than Holdfast does. */
  isOwn: boolean;
  /** In pixels as it is shown. */
  logo: { src: string; width: number; height: number } | null;
}

/**
 * Text and HTML of a mail. The HTML is what mail programs have in common: one table as wide as the screen allows, styles on
 * the elements, nothing loaded from anywhere. It says that it knows dark mode; text
 * stays readable where a program inverts lightness by itself, and a button's address stands under it as text.
 */
export function renderMail(
  { locale, content }: { locale: string; content: MailContent },
  look: MailLook,
): { text: string; html: string } {
  return { text: renderText(content), html: renderHtml(locale, content, look) };
}

function renderText({ heading, blocks }: MailContent): string {
  const parts = blocks.map((block) => {
    if ('text' in block) return block.text;
    if ('button' in block) return `${block.button.label}:\n${block.button.url}`;
    if ('code' in block) return `    ${block.code}`;
    if ('facts' in block) return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
    return block.link === undefined ? block.small : `${block.small}\n${block.link.label}: ${block.link.url}`;
  });
  return `${[heading, ...parts].join('\n\n')}\n`;
}

const lines = (text: string) =>
  text.split(/\r\n|\r|\n/).map((one, at) => (at === 0 ? html`${one}` : html`<br />${one}`));

/** Of src/ui/tokens.css; tokens do not reach into a mail. Light ones on the elements, dark ones by the classes. */
const style = new Markup(`
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { margin: 0; padding: 0; width: 100%; -webkit-text-size-adjust: 100%; }
  @media (max-width: 480px) { .pad { padding-left: 20px !important; padding-right: 20px !important; } }
  @media (prefers-color-scheme: dark) {
    .page { background: #101013 !important; }
    .card { background: #1c1c21 !important; border-color: #2c2c34 !important; }
    .ink { color: #e9e9ee !important; }
    .dim, .dim a { color: #a4a4b0 !important; }
    .code { background: #101013 !important; border-color: #2c2c34 !important; color: #e9e9ee !important; }
    .line { border-color: #2c2c34 !important; }
  }`);

const font = new Markup("font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif");

function renderHtml(locale: string, { subject, heading, blocks }: MailContent, look: MailLook): string {
  const direction = new Intl.Locale(locale).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
  return html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<meta name="supported-color-schemes" content="light dark" />
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
<title>${subject}</title>
<style>${style}</style>
</head>
<body class="page" style="margin:0;background:#f8f8fa">
<table role="presentation" class="page" width="100%" cellspacing="0" cellpadding="0" border="0" style="background:#f8f8fa"><tr><td align="center" style="padding:32px 12px">
<main>
<table role="presentation" class="card" width="100%" cellspacing="0" cellpadding="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #e3e3e8;${look.isOwn ? '' : `border-top:4px solid ${look.accent};`}border-radius:12px"><tr><td class="pad" align="start" style="padding:32px 36px 28px;text-align:start;${font}">
<p class="dim" style="margin:0 0 18px;font-size:13px;line-height:1.4;font-weight:600;color:#62626e">${look.logo === null ? look.name : renderLogo(look.logo, look.name)}</p>
<h1 class="ink" style="margin:0 0 20px;font-size:22px;line-height:1.3;font-weight:640;letter-spacing:-0.015em;color:#1a1a1f">${heading}</h1>
${blocks.map((block) => renderBlock(block, look.accent))}
</td></tr></table>
</main>
</td></tr></table>
</body>
</html>
`.text;
}

/** On white in dark mode too: it was made for light ground. */
function renderLogo({ src, width, height }: NonNullable<MailLook['logo']>, name: string): Markup {
  return html`<img src="${src}" alt="${name}" width="${width}" height="${height}" style="display:block;padding:4px;border-radius:6px;background:#ffffff;border:0" />`;
}

function renderBlock(block: MailBlock, accent: string): Markup {
  if ('text' in block) {
    return html`<p class="ink" style="margin:0 0 16px;font-size:15px;line-height:1.55;color:#1a1a1f">${lines(block.text)}</p>
`;
  }
  if ('button' in block) {
    const { label, url } = block.button;
    return html`<p style="margin:24px 0 12px"><a href="${url}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:${accent};color:#ffffff;font-size:15px;line-height:20px;font-weight:600;text-decoration:none">${label}</a></p>
<p class="dim" style="margin:0 0 20px;font-size:13px;line-height:1.5;color:#62626e;overflow-wrap:anywhere;word-break:break-word"><a href="${url}" style="color:#62626e">${url}</a></p>
`;
  }
  if ('code' in block) {
    return html`<p class="code" style="margin:20px 0;padding:14px 18px;border:1px solid #e3e3e8;border-radius:8px;background:#f8f8fa;color:#1a1a1f;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:22px;line-height:1.3;letter-spacing:0.08em;overflow-wrap:anywhere"><bdi dir="ltr">${block.code}</bdi></p>
`;
  }
  if ('facts' in block) {
    return html`<table cellspacing="0" cellpadding="0" border="0" style="margin:4px 0 20px;width:100%"><tbody>
${block.facts.map(
  ([label, value]) =>
    html`<tr><th scope="row" class="dim line" align="start" style="padding:9px 0;width:1%;border-top:1px solid #ebebef;text-align:start;vertical-align:top;font-size:13px;line-height:1.5;font-weight:400;color:#62626e;white-space:nowrap">${label}</th><td class="line" width="16" style="width:16px;border-top:1px solid #ebebef"></td><td class="ink line" dir="auto" style="padding:9px 0;border-top:1px solid #ebebef;text-align:start;vertical-align:top;font-size:14px;line-height:1.5;color:#1a1a1f;overflow-wrap:anywhere">${lines(value)}</td></tr>
`,
)}</tbody></table>
`;
  }
  return html`<p class="dim line" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #ebebef;font-size:13px;line-height:1.5;color:#62626e">${lines(block.small)}${block.link === undefined ? '' : html`<br /><a href="${block.link.url}" style="color:#62626e">${block.link.label}</a>`}</p>
`;
}
