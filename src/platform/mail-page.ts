import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#kernel/errors.ts';
import { html, Markup } from '#kernel/html.ts';
import { directionOf, type Tongue } from '#kernel/languages.ts';
import type { App } from './app.ts';
import { outgoingOf } from './mail-delivery.ts';
import { renderMail } from './mail-layout.ts';
import { lookOfMail, replyToOf, senderOf } from './mail-look.ts';
import type { Mailbox } from './mail-message.ts';
import { findWaitingMail, listWaitingMails, type MailBody, type OutboxMail } from './mail-outbox.ts';
import { writeMime } from './mail-transport.ts';
import { ownWords } from './own-words.ts';
import { tongueOf } from './session-cookie.ts';
import { findOperator, isFromThisMachine, nothingHere, requireOperator } from './this-machine.ts';

/**
 * The outbox to read at `/dev/mail`, where no mail server is set and the install is only for its own machine: so that a
 * newcomer can follow the link that confirms an address. The start prints its address with a key. Its only script writes times in
 * the zone of the browser; mails are shown in a frame that may do nothing but follow its links.
 */
export function addMailPage(server: FastifyInstance, app: App): void {
  // the start prints the address of the first page with the key, which later grants access to mails here
  server.addHook('onRequest', async (request, reply) => {
    // programs that read the metrics keep no cookie
    if (request.method !== 'GET' || request.url.startsWith('/metrics')) return;
    if (!('access' in (request.query as object))) return;
    if (findOperator(app, request, reply) !== 'kept') return;
    const url = new URL(request.url, app.config.publicUrl);
    url.searchParams.delete('access');
    return reply.redirect(`${url.pathname}${url.search}`, 303);
  });
  server.get('/dev/mail', async (request, reply) => {
    if (findOperator(app, request, reply) === null) {
      const isReader = isFromThisMachine(request) && (request.headers.accept ?? '').includes('text/html');
      if (!isReader) throw nothingHere();
      return sendPage(reply.code(404), renderLocked(tongueOf(request)));
    }
    return sendPage(reply, renderList(tongueOf(request), await listWaitingMails(app.db, app.keyring, { limit: 300 })));
  });
  server.get('/dev/mail/:id', async (request, reply) => {
    requireOperator(app, request, reply);
    return sendPage(reply, renderOne(app, tongueOf(request), await loadMail(app, request)));
  });
  server.get('/dev/mail/:id/mail.eml', async (request, reply) => {
    requireOperator(app, request, reply);
    const source = await writeMime(outgoingOf(app, await loadMail(app, request)));
    return reply
      .headers({
        'content-type': 'message/rfc822',
        // a browser that shows it would run what is in it
        'content-disposition': 'attachment; filename="mail.eml"',
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
      .send(source);
  });
  server.get('/dev/mail/:id/html', async (request, reply) => {
    requireOperator(app, request, reply);
    const mail = await loadMail(app, request);
    const shown = renderMail(mail.body, lookHere(app, mail.body)).html.replace(
      '<head>',
      '<head><base target="_top" />',
    );
    return sendHtml(
      reply,
      shown,
      "sandbox allow-top-navigation-by-user-activation; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'",
    ).header('x-frame-options', 'SAMEORIGIN');
  });
}

const lookHere = ({ brand, mail }: App, body: Pick<MailBody, 'color' | 'logo'>) =>
  lookOfMail(brand.current(), mail.from, { ...body, place: 'preview' }).look;

async function loadMail({ db, keyring }: App, request: FastifyRequest): Promise<OutboxMail> {
  const mail = await findWaitingMail(db, keyring, (request.params as { id: string }).id);
  if (mail === null) throw new AppError('not-found', 'NOT_FOUND', 'This email no longer exists.');
  return mail;
}

const sendPage = (reply: FastifyReply, page: Markup) =>
  sendHtml(
    reply,
    page.text,
    `default-src 'none'; script-src 'sha256-${scriptHash}'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  );

const sendHtml = (reply: FastifyReply, markup: string, policy: string) =>
  reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(markup);

const timeParts = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZoneName: 'short',
} as const;

/** The server may run in another zone than its reader. */
const script = new Markup(
  `for (const time of document.querySelectorAll('time')) time.textContent = new Date(time.dateTime).toLocaleString(time.lang, ${JSON.stringify(timeParts)});`,
);
const scriptHash = createHash('sha256').update(script.text).digest('base64');

/** As in src/ui/logo.tsx. */
const logo = new Markup(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><rect fill="#b5bafd" x="8.5" y="2" width="13.5" height="13.5" rx="4"/><rect fill="#5e53dd" x="2" y="8.5" width="13.5" height="13.5" rx="4"/><path fill="#3e339f" d="M8.5 12.5a4 4 0 0 1 4-4h3v3a4 4 0 0 1-4 4h-3z"/></svg>',
);
const icon = `data:image/svg+xml,${encodeURIComponent(logo.text)}`;

/** Colors of src/ui/tokens.css, whose sheet is part of the bundle. */
const style = new Markup(`
  :root { color-scheme: light dark; --line: light-dark(#ebebef, #2c2c34); --dim: light-dark(#62626e, #9a9aa6);
    --link: light-dark(#4f42c3, #b5bafd); --hover: light-dark(#f1f1f4, #25252c); }
  * { box-sizing: border-box; }
  body { margin: 0; background: light-dark(#f8f8fa, #101013); color: light-dark(#1a1a1f, #e9e9ee);
    font: 14px/1.5 Inter, system-ui, sans-serif; }
  header, main { max-width: 880px; margin: 0 auto; padding: 0 20px; }
  header { display: flex; align-items: center; gap: 10px; height: 56px; font-weight: 660; letter-spacing: -0.015em; }
  h1 { margin: 24px 0 4px; font-size: 22px; line-height: 1.3; font-weight: 640; letter-spacing: -0.015em; overflow-wrap: anywhere; }
  p { margin: 0 0 20px; }
  .dim { color: var(--dim); }
  a { color: var(--link); text-underline-offset: 3px; }
  a:focus-visible, summary:focus-visible { outline: 2px solid light-dark(#5e53dd, #9194ff); outline-offset: 2px; border-radius: 4px; }
  .card { margin: 0 0 32px; padding: 0; list-style: none; background: light-dark(#fff, #1c1c21); border: 1px solid var(--line);
    border-radius: 10px; overflow: hidden; }
  .card li + li { border-top: 1px solid var(--line); }
  .mail { display: flex; align-items: center; gap: 4px 20px; padding: 12px 16px; flex-wrap: wrap; }
  .mail:hover { background: var(--hover); }
  .what { flex: 1 1 280px; min-width: 0; overflow-wrap: anywhere; }
  .what a { display: block; padding: 2px 0; color: inherit; font-weight: 600; text-decoration: none; }
  .what a:hover { text-decoration: underline; }
  .act { display: inline-flex; align-items: center; min-height: 34px; padding: 0 14px; border: 1px solid light-dark(#d3d3da, #3a3a44);
    border-radius: 8px; color: inherit; font-weight: 560; text-decoration: none; }
  .act:hover { background: light-dark(#fff, #1c1c21); }
  .empty { padding: 40px 24px; text-align: center; }
  .empty strong { display: block; font-size: 16px; }
  .empty p { margin: 4px 0 0; }
  iframe { display: block; width: 100%; height: min(720px, 75vh); border: 0; background: light-dark(#f8f8fa, #101013); }
  details { margin: 0 0 40px; }
  summary { padding: 8px 0; cursor: pointer; }
  pre { margin: 8px 0 0; padding: 16px; background: light-dark(#fff, #1c1c21); border: 1px solid var(--line); border-radius: 10px;
    font: 13px/1.55 ui-monospace, SFMono-Regular, Menlo, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
  @media (pointer: coarse) { .act, .what a, summary { min-height: 44px; display: flex; align-items: center; } }
  @media (max-width: 480px) { header, main { padding: 0 16px; } .act { flex: 1 1 100%; justify-content: center; } }`);

const page = ({ language }: Tongue, title: string, content: Markup) => html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<title>${title} · Holdfast</title>
<link rel="icon" href="${icon}" type="image/svg+xml" />
<style>${style}</style>
</head>
<body>
<header>${logo}Holdfast</header>
<main>
${content}
</main>
<script>${script}</script>
</body>
</html>
`;

function renderList(tongue: Tongue, mails: readonly OutboxMail[]): Markup {
  const words = ownWords(tongue.language);
  const none = html`<div class="card empty"><strong>${words['mail.none']}</strong>
<p class="dim">${words['mail.noneText']}</p></div>`;
  const [before = '', after = ''] = words['mail.text'].split('{name}');
  return page(
    tongue,
    words['mail.title'],
    html`<h1>${words['mail.title']}</h1>
<p class="dim">${before}<code>SMTP_URL</code>${after}</p>
${mails.length === 0 ? none : html`<ul class="card">${mails.map((mail) => renderRow(tongue, mail))}</ul>`}`,
  );
}

/** To the sign-up page's link, in a browser that has not opened the printed address. */
function renderLocked(tongue: Tongue): Markup {
  const words = ownWords(tongue.language);
  return page(
    tongue,
    words['mail.title'],
    html`<h1>${words['mail.title']}</h1>
<div class="card empty"><strong>${words['mail.locked']}</strong>
<p class="dim">${words['mail.lockedText']}</p></div>`,
  );
}

function renderRow(tongue: Tongue, mail: OutboxMail): Markup {
  const { subject, blocks } = mail.body.content;
  const button = blocks.find((block) => 'button' in block)?.button;
  return html`<li class="mail"><div class="what"><a href="/dev/mail/${mail.id}">${subject}</a>
<span class="dim">${toWhom(tongue, mail)} · ${timeOf(tongue, mail)}</span></div>
${button === undefined ? [] : html`<a class="act" href="${button.url}">${button.label}</a>`}</li>
`;
}

function renderOne(app: App, tongue: Tongue, mail: OutboxMail): Markup {
  const { subject } = mail.body.content;
  const words = ownWords(tongue.language);
  return page(
    tongue,
    subject,
    html`<p style="margin-top:12px"><a href="/dev/mail">${words['mail.all']}</a></p>
<h1>${subject}</h1>
<p class="dim">${headersOf(app, tongue, mail).map((header) => html`${header}<br />`)}${timeOf(tongue, mail)}</p>
<div class="card"><iframe src="/dev/mail/${mail.id}/html" title="${words['mail.frame']}" sandbox="allow-top-navigation-by-user-activation"></iframe></div>
<p><a class="act" href="/dev/mail/${mail.id}/mail.eml" download="mail.eml">${words['mail.source']}</a></p>
<details><summary>${words['mail.asText']}</summary><pre>${renderMail(mail.body, lookHere(app, mail.body)).text}</pre></details>
${mail.body.calendar === undefined ? [] : html`<details><summary>${words['mail.calendar']}</summary><pre>${mail.body.calendar.ics}</pre></details>`}`,
  );
}

/** Sender, recipient, and where an answer goes, as the mail program of its reader shows them. */
function headersOf({ brand, mail }: App, { language }: Tongue, { to, body }: OutboxMail): string[] {
  const words = ownWords(language);
  const install = lookOfMail(brand.current(), mail.from).from;
  const [from, replyTo] = [senderOf(body, install), replyToOf(body, install)];
  const fill = (text: string, name: string) => text.replace(/\{\w+\}/, () => name);
  const shown = ({ name, address }: Mailbox) => (name === '' ? address : `${name} <${address}>`);
  return [
    fill(words['mail.from'], shown(from)),
    fill(words['mail.to'], to),
    ...(replyTo === undefined ? [] : [fill(words['mail.answers'], shown(replyTo))]),
  ];
}

const toWhom = ({ language }: Tongue, { to }: OutboxMail) =>
  ownWords(language)['mail.to'].replace('{address}', () => to);

/** In the zone of the server where the browser runs no script. */
function timeOf({ locale }: Tongue, { createdAtMs }: OutboxMail): Markup {
  const at = Temporal.Instant.fromEpochMilliseconds(createdAtMs);
  const timeZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const shown = at.toLocaleString(locale, { ...timeParts, timeZone });
  return html`<time datetime="${at.toString()}" lang="${locale}">${shown}</time>`;
}
