import type { Reply, Request } from '#emulators/kit/exchange.ts';
import { pageReply } from '#emulators/kit/page.ts';
import { html } from '#kernel/html.ts';
import type { World } from './world.ts';

const brand = { name: 'Slack', color: '#611f69' };
const most = 100;

/** Shows the messages in the channels of a workspace. */
export function answerPage(world: World, request: Request): Reply {
  const workspace = world.workspaces.get(new URLSearchParams(request.query).get('account') ?? '');
  if (workspace === undefined) {
    return pageReply({ title: 'Nothing here', brand, status: 404, body: html`<h1>Nothing here</h1>` });
  }
  const list = world.messages
    .filter(({ channel }) => world.channels.get(channel)?.workspace === workspace.id)
    .slice(-most)
    .toReversed()
    .map(
      ({ channel, text, by }) =>
        html`<li class="card"><p class="row between"><strong>#${world.channels.get(channel)!.name}</strong><span class="note">${by === 'bot' ? 'from the bot' : 'by webhook'}</span></p><p style="white-space: pre-line">${text}</p></li>`,
    );
  return pageReply({
    title: workspace.name,
    brand,
    body: html`<h1>${workspace.name}</h1>${list.length === 0 ? html`<p>Nothing has been posted yet.</p>` : html`<ul class="plain">${list}</ul>`}`,
  });
}
