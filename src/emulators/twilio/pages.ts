import type { Moment } from '#emulators/kit/emulator.ts';
import { type Reply, type Request, seeOther } from '#emulators/kit/exchange.ts';
import { pageReply } from '#emulators/kit/page.ts';
import { html } from '#kernel/html.ts';
import { takeInbound } from './take-inbound.ts';
import { statusOf, type World } from './world.ts';

const brand = { name: 'Twilio', color: '#f22f46' };
const most = 100;

/** Shows sent and received messages, and a phone for each recipient that can answer. */
export function answerPage(world: World, request: Request, moment: Moment): Reply {
  const sid = new URLSearchParams(request.query).get('account') ?? '';
  const account = world.accounts.get(sid);
  if (account === undefined)
    return pageReply({ title: 'Nothing here', brand, status: 404, body: html`<h1>Nothing here</h1>` });
  if (request.method === 'POST') {
    const form = new URLSearchParams(request.body);
    const [from, to, body] = ['from', 'to', 'body'].map((name) => (form.get(name) ?? '').slice(0, 1_600));
    if (account.numbers.has(to!) && from !== '' && body !== '') {
      takeInbound(world, account, { from: from!, to: to!, body: body! }, moment);
    }
    return seeOther(`?account=${sid}`);
  }
  const messages = world.messages
    .filter((one) => one.accountSid === sid)
    .slice(-most)
    .toReversed();
  const list = messages.map((message) => {
    const isOut = message.direction === 'outbound-api';
    const answer =
      isOut &&
      html`<form method="post" class="row"><input type="hidden" name="from" value="${message.to}"><input type="hidden" name="to" value="${message.from}"><label>Answer as ${message.to} <input name="body" value="STOP" maxlength="160" required></label><button>Send</button></form>`;
    return html`<li class="card"><p class="row between"><strong>${isOut ? html`To ${message.to}` : html`From ${message.from}`}</strong><span class="note">${statusOf(message, moment.nowMs)}</span></p><p>${message.body}</p>${answer}</li>`;
  });
  return pageReply({
    title: 'Messages',
    brand,
    body: html`<h1>Messages</h1><p class="soft">${account.name}, ${[...account.numbers.keys()].join(', ')}. Nothing here reaches a phone.</p>${list.length === 0 ? html`<p>No message has been sent yet.</p>` : html`<ul class="plain">${list}</ul>`}`,
  });
}
