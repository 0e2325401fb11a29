import type { Moment } from '#emulators/kit/emulator.ts';
import { type Reply, type Request, reply, seeOther } from '#emulators/kit/exchange.ts';
import { pageReply } from '#emulators/kit/page.ts';
import { html, type Markup } from '#kernel/html.ts';
import type { At } from './announce.ts';
import { isOver } from './billing.ts';
import { completeSession } from './checkout.ts';
import { testCards } from './customers.ts';
import { actInPortal, type PortalDeed } from './portal.ts';
import type { CheckoutSession, Invoice, PortalSession, World } from './world.ts';

const brand = { name: 'Stripe', color: '#635bff' };
const money = (cents: number) => `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
const dayOf = (seconds: number) =>
  Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
    .toZonedDateTimeISO('UTC')
    .toPlainDate()
    .toString();

/** Checkout, the customer portal, and invoices, as people see them. */
export function answerPage(world: World, request: Request, { nowMs, deliveries }: Moment): Reply {
  const at: At = {
    world,
    now: Math.floor(nowMs / 1000),
    deliveries,
    request: { id: null, idempotency_key: null },
  };
  const form = new URLSearchParams(request.method === 'POST' ? request.body : '');
  const [, kind = '', id = ''] = /^\/(c\/pay|p\/session|i)\/(\w+)/.exec(request.path) ?? [];
  const session = world.sessions.get(id);
  if (kind === 'c/pay' && session !== undefined) return checkoutPage(at, session, request, form);
  const portal = world.portals.get(id);
  if (kind === 'p/session' && portal !== undefined) return portalPage(at, portal, request, form);
  const invoice = world.invoices.get(id);
  if (kind === 'i' && invoice !== undefined)
    return request.path.endsWith('/pdf') ? invoicePdf(invoice) : invoicePage(invoice);
  return pageReply({ title: 'Nothing here', brand, status: 404, body: html`<h1>Nothing here</h1>` });
}

const cardField = (name: string) =>
  html`<label>Card number <input name="${name}" list="cards" inputmode="numeric" autocomplete="off" required></label><datalist id="cards">${testCards.map((one) => html`<option value="${one}"></option>`)}</datalist>`;

function checkoutPage(at: At, session: CheckoutSession, request: Request, form: URLSearchParams): Reply {
  if (session.status !== 'open')
    return pageReply({
      title: 'This page is over',
      brand,
      status: session.status === 'complete' ? 200 : 404,
      body: html`<h1>This page is over</h1><p>${session.status === 'complete' ? 'It was paid.' : 'Ask for another.'}</p>`,
    });
  const plan = at.world.plans.get(session.id)!;
  const hasTrial = plan.trialDays !== null || plan.trialEnd !== null;
  const needsCard = !(hasTrial && session.payment_method_collection === 'if_required');
  let problem: string | null = null;
  if (request.method === 'POST') {
    const of = (name: string) => form.get(name)?.trim().slice(0, 200) || undefined;
    problem = completeSession(at, session, {
      email: of('email'),
      name: of('name'),
      country: of('country'),
      card: of('card'),
      promotionCode: of('code'),
    });
    if (problem === null) return seeOther(session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id));
  }
  const known = session.customer === null ? undefined : at.world.customers.get(session.customer);
  const lines = plan.items.map(({ price, quantity }) => {
    const one = at.world.prices.get(price)!;
    return html`<p class="row between"><span>${quantity} × ${at.world.products.get(one.product)?.name}</span><span>${money(one.unit_amount * quantity)} a ${one.recurring?.interval}</span></p>`;
  });
  const email = session.customer_email ?? known?.email;
  return pageReply({
    title: 'Checkout',
    brand,
    body: html`<div class="card narrow"><h1>Subscribe</h1>${lines}${hasTrial ? html`<p class="soft">${plan.trialDays === null ? `Free until ${dayOf(plan.trialEnd!)}` : `${plan.trialDays} days free`}</p>` : ''}
<form method="post">${problem === null ? '' : html`<p class="danger" role="alert">${problem}</p>`}
${email ? html`<p>${email}</p>` : html`<label>Email <input type="email" name="email" required autocomplete="off"></label>`}
${needsCard ? cardField('card') : ''}<label>Country <input name="country" maxlength="2" value="DE" autocomplete="off"></label>
${session.allow_promotion_codes ? html`<label>Promotion code <input name="code" autocomplete="off"></label>` : ''}
<p class="row foot"><button class="main">${hasTrial ? 'Start trial' : 'Subscribe'}</button>${session.cancel_url ? html`<a class="button" href="${session.cancel_url}">Back</a>` : ''}</p></form></div>`,
  });
}

function portalPage(at: At, portal: PortalSession, request: Request, form: URLSearchParams): Reply {
  const { world } = at;
  const customer = world.customers.get(portal.customer);
  const configuration = world.configurations.get(portal.configuration);
  if (customer === undefined || configuration === undefined)
    return pageReply({ title: 'Nothing here', brand, status: 404, body: html`<h1>Nothing here</h1>` });
  let problem: string | null = null;
  if (request.method === 'POST') {
    const deed = Object.fromEntries(form) as unknown as PortalDeed;
    if (!['cancel', 'keep', 'switch', 'card'].includes(deed.do)) return reply(400);
    problem = actInPortal(at, customer, configuration, deed);
    if (problem === null) return seeOther(portal.id);
  }
  const { features } = configuration;
  const act = (deed: PortalDeed, label: string, extra: Markup | string = '') =>
    html`<form method="post" class="row">${Object.entries(deed).map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`)}${extra}<button>${label}</button></form>`;
  const mine = [...world.subscriptions.values()].filter((one) => one.customer === customer.id && !isOver(one));
  const choices = features.subscription_update.enabled
    ? features.subscription_update.products.flatMap(({ prices }) => prices)
    : [];
  const subscriptions = mine.map((one) => {
    const item = one.items.data[0]!;
    const name = world.products.get(item.price.product)?.name;
    const others = choices.filter((price) => price !== item.price.id && world.prices.has(price));
    return html`<li class="card"><p class="row between"><strong>${name}</strong><span class="note">${one.status}</span></p><p>${money(item.price.unit_amount)} a ${item.price.recurring?.interval}, ${one.cancel_at_period_end ? 'ends' : 'renews'} ${dayOf(item.current_period_end)}</p>${one.cancel_at_period_end ? act({ do: 'keep', subscription: one.id }, "Don't cancel") : features.subscription_cancel.enabled ? act({ do: 'cancel', subscription: one.id }, 'Cancel subscription') : ''}${others.map((price) => act({ do: 'switch', subscription: one.id, price }, `Switch to ${world.products.get(world.prices.get(price)!.product)?.name} (${money(world.prices.get(price)!.unit_amount)} a ${world.prices.get(price)!.recurring?.interval})`))}</li>`;
  });
  const invoices = [...world.invoices.values()].filter((one) => one.customer === customer.id).toReversed();
  return pageReply({
    title: 'Billing',
    brand,
    body: html`<h1>Billing</h1><p class="soft">${customer.email}</p>${problem === null ? '' : html`<p class="danger" role="alert">${problem}</p>`}${mine.length === 0 ? html`<p>No subscription.</p>` : html`<ul class="plain">${subscriptions}</ul>`}
${features.payment_method_update.enabled ? html`<h2 class="foot">Payment method</h2><form method="post" class="fields"><input type="hidden" name="do" value="card">${cardField('number')}<button>Update</button></form>` : ''}
${features.invoice_history.enabled ? html`<h2 class="foot">Invoices</h2><ul class="plain">${invoices.map((one) => html`<li class="row between"><a href="../../i/${one.id}">${one.number ?? 'Draft'}</a><span>${dayOf(one.created)}</span><span>${money(one.total)}</span><span class="note">${one.status}</span></li>`)}</ul>` : ''}
${portal.return_url ? html`<p class="foot"><a class="button" href="${portal.return_url}">Return</a></p>` : ''}`,
  });
}

function invoicePage(invoice: Invoice): Reply {
  return pageReply({
    title: `Invoice ${invoice.number ?? ''}`,
    brand,
    body: html`<div class="card narrow"><h1>Invoice ${invoice.number}</h1><dl>${invoice.lines.data.map((line) => html`<dt>${line.description}</dt><dd>${money(line.amount)}</dd>`)}${invoice.total_discount_amounts.map(({ amount }) => html`<dt>Discount</dt><dd>-${money(amount)}</dd>`)}${invoice.total_taxes.map(({ amount }) => html`<dt>Tax</dt><dd>${money(amount)}</dd>`)}<dt>Total</dt><dd>${money(invoice.total)}</dd><dt>Status</dt><dd>${invoice.status}</dd></dl><p><a class="button" href="../i/${invoice.id}/pdf">Download</a></p></div>`,
  });
}

/** One page with its number and total: enough to be opened. Source: ISO 32000-1, 7.5. */
function invoicePdf(invoice: Invoice): Reply {
  const text = `Invoice ${invoice.number ?? 'draft'}: ${money(invoice.total)}, ${invoice.status}`;
  const stream = `BT /F1 14 Tf 60 760 Td (${text.replaceAll(/[()\\]/g, '\\$&')}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((one, n) => {
    const at = body.length;
    body += `${n + 1} 0 obj\n${one}\nendobj\n`;
    return at;
  });
  const start = body.length;
  body += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}`;
  body += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return reply(200, { 'content-type': 'application/pdf' }, body);
}
