import { html, type Markup } from '#kernel/html.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { printLocalDate } from '#kernel/time/local.ts';
import type { PageEvent } from './calendar-pages.ts';
import type { Reply } from './exchange.ts';
import { pageReply } from './page.ts';
import { clockOf, clockSpan, longDay, type Visit } from './page-times.ts';

/** One event, and everything that its person may do with it. */
export function eventPage({ source, account, zone, monday }: Visit, event: PageEvent): Reply {
  const calendar = source.calendars(account).find(({ id }) => id === event.calendar);
  const first = printLocalDate(zone.toLocal(event.startMs));
  const last = printLocalDate(zone.toLocal(event.endMs - 1));
  const when = event.allDay
    ? `${longDay(first)}${last === first ? '' : ` to ${longDay(last)}`}, all day`
    : `${longDay(first)}, ${clockSpan(event, zone)}`;
  const state = [...event.notes, ...(event.declined ? ['Declined'] : []), event.free ? 'Free' : 'Busy'];
  const body = html`<div class="card narrow"><h1>${event.title}</h1>
<dl><dt>When</dt><dd>${when}</dd><dt>Calendar</dt><dd>${calendar?.name ?? event.calendar}</dd>${event.location && html`<dt>Where</dt><dd>${event.location}</dd>`}<dt>State</dt><dd>${[...new Set(state)].join(', ')}</dd></dl>
${calendar?.writable ? forms(event, first, last, zone) : html`<p class="soft">This calendar is read-only.</p>`}
<p class="soft foot"><a href="../${encodeURIComponent(account)}?week=${monday}">Back to the week</a></p></div>`;
  return pageReply({ title: event.title, brand: source.brand, body });
}

function forms(event: PageEvent, first: string, last: string, zone: Visit['zone']): Markup {
  const scope =
    event.repeats &&
    html`<fieldset><legend>Applies to</legend><label class="check"><input type="radio" name="scope" value="one" checked>This event</label><label class="check"><input type="radio" name="scope" value="series">The whole series</label></fieldset>`;
  const times = event.allDay
    ? html`<label>First day <input type="date" name="day" value="${first}" required></label><label>Last day <input type="date" name="lastDay" value="${last}" required></label><input type="hidden" name="allDay" value="yes">`
    : html`<label>Day <input type="date" name="day" value="${first}" required></label><label>From <input type="time" name="from" value="${clockOf(event.startMs, zone)}"></label><label>To <input type="time" name="to" value="${clockOf(event.endMs, zone)}"></label>`;
  const steps = event.allDay || event.endMs - event.startMs >= dayMs ? DAYS : HOURS;
  const changes = html`<div class="fields"><label>Title <input name="title" value="${event.title}" maxlength="200" autocomplete="off"></label></div>
<div class="fields">${times}</div>
<fieldset><label class="check"><input type="checkbox" name="free" value="yes" ${event.free && 'checked'}>Show me as free</label></fieldset>
<div class="row"><button class="main" name="do" value="edit">Save</button>${steps.map(([minutes, label]) => html`<button name="do" value="move ${minutes}">${label}</button>`)}</div>`;
  return html`<form method="post">${scope}
${event.invited ? html`<p class="soft">Only its organizer can change this event.${event.answerable && ' You can answer it.'}</p>` : changes}
<div class="row" style="margin-top: 16px">${event.answerable && answers}<button class="danger" name="do" value="delete">Delete</button></div>
</form>`;
}

const answers = html`<button name="do" value="accepted">Accept</button><button name="do" value="tentative">Maybe</button><button name="do" value="declined">Decline</button>`;

const HOURS = [
  ['-60', 'An hour earlier'],
  ['+60', 'An hour later'],
  ['+1440', 'A day later'],
] as const;
const DAYS = [
  ['-1440', 'A day earlier'],
  ['+1440', 'A day later'],
] as const;
