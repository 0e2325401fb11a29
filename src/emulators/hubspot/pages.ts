import type { Reply, Request } from '#emulators/kit/exchange.ts';
import { pageReply } from '#emulators/kit/page.ts';
import { html } from '#kernel/html.ts';
import type { World } from './world.ts';

const brand = { name: 'HubSpot', color: '#ff7a59' };
const most = 100;

/** Contacts of one account, each with the meetings on its timeline. */
export function answerPage(world: World, request: Request): Reply {
  const records = world.records.get(Number(new URLSearchParams(request.query).get('account')));
  if (records === undefined) {
    return pageReply({ title: 'Nothing here', brand, status: 404, body: html`<h1>Nothing here</h1>` });
  }
  const list = records.contacts
    .slice(-most)
    .toReversed()
    .map(({ id, properties }) => {
      const meetings = records.meetings.filter((meeting) => records.associations.has(`${meeting.id} ${id}`));
      const name = [properties.firstname, properties.lastname].filter(Boolean).join(' ');
      return html`<li class="card"><p><strong>${name}</strong> ${properties.email}</p>${meetings.map(
        (meeting) =>
          html`<p class="row between"><span>${meeting.properties.hs_meeting_title}<br><span class="soft">${meeting.properties.hs_meeting_start_time}</span></span><span class="note">${meeting.properties.hs_meeting_outcome}</span></p>`,
      )}</li>`;
    });
  return pageReply({
    title: 'Contacts',
    brand,
    body: html`<h1>Contacts</h1>${list.length === 0 ? html`<p>Nobody has been pushed yet.</p>` : html`<ul class="plain">${list}</ul>`}`,
  });
}
