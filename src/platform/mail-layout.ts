import { html, Markup } from '#kernel/html.ts';
import { chooseTongue } from '#kernel/languages.ts';
import { trimEndOf } from '#kernel/text/trim-text.ts';
import { dropIsolates, type MailBlock, type MailContent, type MailFact } from './mail-message.ts';
import { ownWords } from './own-words.ts';

export interface MailLook {
  /** Name of the install. */
  name: string;
  /** `#rrggbb`, dark enough for white text. */
  accent: string;
  /** Whether it has Holdfast's default look. */
  isOwn: boolean;
  /** In pixels as it is shown. */
  logo: { src: string; alt: string; width: number; height: number } | null;
}

/**
 * Renders subject, text and HTML of a mail. The HTML uses the features that all mail programs support: one table up to
 * the screen's width, styles on the elements, no external resources. Dark mode is declared; text stays readable in
 * programs that invert lightness. The text version has the addresses in full.
 */
export function renderMail(
  { locale, content }: { locale: string; content: MailContent },
  look: MailLook,
): { subject: string; text: string; html: string } {
  const direction = new Intl.Locale(locale).getTextInfo().direction === 'rtl' ? 'rtl' : 'ltr';
  return {
    subject: dropIsolates(content.subject, direction),
    text: dropIsolates(renderText(content, locale), direction)
      .split('\n')
      .map((line) => trimEndOf(line, ' '))
      .join('\n'),
    html: dropIsolates(renderHtml({ locale, direction }, content, look), direction),
  };
}

function renderText({ heading, blocks }: MailContent, locale: string): string {
  const colon = ownWords(chooseTongue([locale]).language)['mail.colon'];
  const address = ({ label, url }: { label: string; url: string }) => `${label}${colon.trimEnd()}\n${url}`;
  const fact = ([label, value, url]: MailFact) => {
    const isShown = url === undefined || !/^https?:/.test(url) || value.includes(url);
    return wrap(`${label}${colon}${isShown ? value : `${value}\n${url}`}`, '  ');
  };
  const parts = blocks.map((block) => {
    if ('text' in block) return wrap(block.text);
    if ('button' in block) return address(block.button);
    if ('links' in block)
      return `${block.links.label}${colon.trimEnd()}\n\n${block.links.to.map(address).join('\n\n')}`;
    if ('code' in block) return `    ${block.code}`;
    if ('facts' in block) return block.facts.map(fact).join('\n');
    return block.link === undefined ? wrap(block.small) : `${wrap(block.small)}\n\n${address(block.link)}`;
  });
  return `${[wrap(heading), ...parts].join('\n\n')}\n`;
}

const widest = 76;
const withoutBlanks = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Lines as long as they are read at a glance, broken at blanks; those after the first begin with `indent`. Lines of a
 * script without blanks are left to the mail program. */
function wrap(text: string, indent = ''): string {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line) => {
      const lines = [''];
      for (const word of withoutBlanks.test(line) ? [line] : line.split(' ')) {
        const last = lines.at(-1) ?? '';
        if (last === '') lines[lines.length - 1] = word;
        else if (last.length + word.length < widest - indent.length) lines[lines.length - 1] = `${last} ${word}`;
        else lines.push(word);
      }
      return lines;
    })
    .map((line, n) => (n === 0 || line === '' ? line : indent + line))
    .join('\n');
}

const lines = (text: string, show: (line: string) => Markup = (line) => html`${line}`) =>
  text.split(/\r\n|\r|\n/).map((one, at) => (at === 0 ? html`${show(one)}` : html`<br />${show(one)}`));

/** Colors of src/ui/tokens.css, which mails cannot import. Light ones are on the elements, dark ones in the classes. */
const style = new Markup(`
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  body { margin: 0; padding: 0; width: 100%; -webkit-text-size-adjust: 100%; }
  @media (max-width: 480px) { .pad { padding-left: 20px !important; padding-right: 20px !important; } }
  @media (prefers-color-scheme: dark) {
    .page { background: #101013 !important; }
    .card { background: #1c1c21 !important; border-color: #2c2c34 !important; }
    .ink { color: #e9e9ee !important; }
    .dim, .dim a { color: #a4a4b0 !important; }
    .quiet { border-color: #6f6f7b !important; }
    .code { background: #101013 !important; border-color: #2c2c34 !important; color: #e9e9ee !important; }
    .line { border-color: #2c2c34 !important; }
  }`);

const font = new Markup("font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif");

function renderHtml(
  { locale, direction }: { locale: string; direction: 'ltr' | 'rtl' },
  { subject, heading, blocks }: MailContent,
  look: MailLook,
): string {
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
<table role="presentation" class="card" width="100%" cellspacing="0" cellpadding="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid #e3e3e8;${look.isOwn ? '' : `border-top:4px solid ${look.accent};`}border-radius:12px"><tr><td class="pad" align="start" style="padding:32px 36px 28px;text-align:start;overflow-wrap:anywhere;${font}">
<p class="dim" style="margin:0 0 18px;font-size:13px;line-height:1.4;font-weight:600;color:#62626e">${look.logo === null ? look.name : renderLogo(look.logo)}</p>
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
function renderLogo({ src, alt, width, height }: NonNullable<MailLook['logo']>): Markup {
  return html`<img src="${src}" alt="${alt}" width="${width}" height="${height}" style="display:block;padding:4px;border-radius:6px;background:#ffffff;border:0" />`;
}

function renderBlock(block: MailBlock, accent: string): Markup {
  if ('text' in block) {
    return html`<p class="ink" style="margin:0 0 16px;font-size:15px;line-height:1.55;color:#1a1a1f">${lines(block.text, linkAddresses)}</p>
`;
  }
  if ('button' in block) {
    const { label, url, quiet = false } = block.button;
    const colors = quiet
      ? new Markup('border:1px solid #8b8b97;color:#1a1a1f')
      : html`border:1px solid ${accent};background:${accent};color:#ffffff`;
    return html`<a href="${url}" ${quiet ? new Markup('class="ink quiet" ') : ''}style="display:inline-block;margin:6px 10px 18px 0;padding:11px 20px;border-radius:8px;${colors};font-size:15px;line-height:20px;font-weight:600;text-decoration:none">${label}</a>
`;
  }
  if ('links' in block) {
    const { label, to } = block.links;
    const separated = to.map((one, n) => html`${n === 0 ? '' : ' · '}${renderLink(one)}`);
    return html`<p class="dim" style="margin:0 0 20px;font-size:14px;line-height:1.5;color:#62626e">${label}<br />${separated}</p>
`;
  }
  if ('code' in block) {
    return html`<p class="code" style="margin:20px 0;padding:14px 18px;border:1px solid #e3e3e8;border-radius:8px;background:#f8f8fa;color:#1a1a1f;font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:22px;line-height:1.3;letter-spacing:0.08em;overflow-wrap:anywhere"><bdi dir="ltr">${block.code}</bdi></p>
`;
  }
  if ('facts' in block) {
    const isStacked = block.facts.some(([label]) => widthOf(label) > longestBeside);
    return html`<table cellspacing="0" cellpadding="0" border="0" style="margin:4px 0 20px;width:100%"><tbody>
${block.facts.map((fact) => renderFact(fact, isStacked))}</tbody></table>
`;
  }
  return html`<p class="dim line" style="margin:24px 0 0;padding-top:16px;border-top:1px solid #ebebef;font-size:13px;line-height:1.5;color:#62626e">${lines(block.small)}${block.link === undefined ? '' : html`<br /><a href="${block.link.url}" style="display:inline-block;padding:7px 0;color:#62626e">${block.link.label}</a>`}</p>
`;
}

const renderLink = ({ label, url }: { label: string; url: string }) =>
  html`<a href="${url}" class="ink" style="display:inline-block;padding:7px 0;color:#1a1a1f;white-space:nowrap">${label}</a>`;

/** Addresses in a text that a host wrote, as in a workflow: not every mail program finds them. */
const linkAddresses = (line: string) =>
  html`${line.split(/(https:\/\/[^\s<>"\u2060\u2068\u2069]*[^\s<>"\u2060\u2068\u2069.,;:!?)\]}'])/).map((part, n) => (n % 2 === 0 ? part : renderAddressed([html`${part}`], part)))}`;

/**
 * A line in its own direction. An address becomes a link, except in text of others, where `quoteText` puts a sign
 * before it.
 */
const renderAddress = (line: string) =>
  /^https:\/\/[^\s<>"]+$/.test(line) ? renderAddressed([html`${line}`], line) : renderLine(line);
const renderLine = (line: string) => html`<bdi>${line.split(offset).map(renderPart)}</bdi>`;

/** Mail programs break a line after the hyphen of `GMT-5`. */
const offset = /(GMT[+-]\d+(?::\d+)?)/;
const renderPart = (part: string, n: number) =>
  n % 2 === 0 ? part : html`<span style="white-space:nowrap">${part}</span>`;

/** A longer label, such as a question of a form, is above its value. */
const longestBeside = 18;

/** In Latin letters: those of Chinese, Japanese, and Korean, and emoji, are twice as wide. */
const widthOf = (text: string) =>
  [...text].reduce(
    (sum, sign) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|\p{Emoji_Presentation}/u.test(sign)
        ? 2
        : 1),
    0,
  );

function renderFact([label, value, url]: MailFact, isStacked: boolean): Markup {
  const line = new Markup('border-top:1px solid #ebebef;text-align:start;vertical-align:top;line-height:1.5');
  const shown = url === undefined ? lines(value, renderAddress) : renderAddressed(lines(value, renderLine), url);
  if (isStacked)
    return html`<tr><td class="line" style="padding:9px 0;${line};overflow-wrap:anywhere"><span class="dim" style="font-size:13px;color:#62626e">${renderLine(label)}</span><br /><span class="ink" style="font-size:14px;color:#1a1a1f">${shown}</span></td></tr>
`;
  return html`<tr><th scope="row" class="dim line" align="start" style="padding:9px 0;width:1%;${line};font-size:13px;font-weight:400;color:#62626e;white-space:nowrap">${renderLine(label)}</th><td class="line" width="16" style="width:16px;border-top:1px solid #ebebef"></td><td class="ink line" style="padding:9px 0;${line};font-size:14px;color:#1a1a1f;overflow-wrap:anywhere">${shown}</td></tr>
`;
}

const renderAddressed = (shown: readonly Markup[], url: string) =>
  html`<a href="${url}" class="ink" style="color:#1a1a1f">${shown}</a>`;
