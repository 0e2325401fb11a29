import { html, type Markup } from '#kernel/html.ts';
import { dayMs } from '#kernel/time/civil.ts';
import { overlaps } from '#kernel/time/intervals.ts';
import { parseLocalDate, printLocalDate } from '#kernel/time/local.ts';
import { loadZone, utc, type Zone } from '#kernel/time/zones.ts';
import { eventPage } from './event-page.ts';
import { type Reply, type Request, reply, seeOther } from './exchange.ts';
import { pageReply } from './page.ts';
import { clockSpan, dayAfter, longDay, shortWeekday, type Visit } from './page-times.ts';

/** A calendar as its person sees it: what a provider gives so that the pages can show it. */
export interface PageSource {
  brand: { name: string; color: string };
  accounts(): { account: string; name: string }[];
  /** IANA zone in which the account's pages are written. */
  zoneOf(account: string): string;
  calendars(account: string): PageCalendar[];
  /** Instances that overlap the window. *Shape*: half-open. *Units*: epoch ms. */
  events(account: string, fromMs: number, toMs: number): PageEvent[];
  /** Throws with a sentence where it cannot be done. */
  change(account: string, command: PageCommand): void;
}

export interface PageCalendar {
  id: string;
  name: string;
  color: string;
  writable: boolean;
}

export interface PageEvent {
  id: string;
  calendar: string;
  title: string;
  startMs: number;
  endMs: number;
  allDay: boolean;
  /** Part of a series. */
  repeats: boolean;
  /** Whether it is another person's invitation, to be answered and not to be changed. */
  invited: boolean;
  /** Whether its person is among the guests: nothing else can be accepted or declined. */
  answerable: boolean;
  free: boolean;
  declined: boolean;
  /** Further labels: "Out of office", "Tentative". */
  notes: string[];
  location?: string;
}

/** On the wall clock of the account: days, or `2027-03-08T09:00`. `end` is exclusive. */
export interface PageTime {
  allDay: boolean;
  start: string;
  end: string;
}

export type PageCommand =
  | { do: 'create'; calendar: string; title: string; time: PageTime; repeats: 'no' | 'daily' | 'weekly' }
  | { do: 'edit'; calendar: string; id: string; wholeSeries: boolean; title: string; time: PageTime; free: boolean }
  | { do: 'move'; calendar: string; id: string; wholeSeries: boolean; minutes: number }
  | { do: 'delete'; calendar: string; id: string; wholeSeries: boolean }
  | {
      do: 'respond';
      calendar: string;
      id: string;
      wholeSeries: boolean;
      response: 'accepted' | 'declined' | 'tentative';
    };

/**
 * The pages of a simulated provider: `/` lists its accounts (or, with `?account=`, leads to
 * one), `/people/{account}` shows a week, `…/event` one event.
 * Every link is relative, so that they also work below another path. Null: none of them.
 */
export function answerPages(source: PageSource, request: Request, nowMs: number): Reply | null {
  if (request.path === '/') {
    const wanted = new URLSearchParams(request.query).get('account');
    return wanted === null ? accountsPage(source) : seeOther(`people/${encodeURIComponent(wanted)}`);
  }
  const match = /^\/people\/([^/]+)(\/event|\/create)?$/.exec(request.path);
  if (!match) return null;
  const account = decodeURIComponent(match[1]!);
  if (!source.accounts().some((one) => one.account === account)) return reply(404);
  const zone = loadZone(source.zoneOf(account)) ?? utc;
  const query = new URLSearchParams(request.query);
  const visit: Visit = { source, account, zone, nowMs, monday: readMonday(query.get('week'), zone, nowMs) };
  const form = new URLSearchParams(request.body);
  if (match[2] === undefined) return weekPage(visit);
  const id = query.get('id') ?? '';
  try {
    if (match[2] === '/create') {
      if (request.method !== 'POST') return weekPage(visit);
      source.change(account, readCreate(form));
      return seeOther(`../${encodeURIComponent(account)}?week=${form.get('day') || visit.monday}`);
    }
    const event = eventsOf(visit).find((one) => one.id === id && one.calendar === query.get('calendar'));
    if (!event) return seeOther(`../${encodeURIComponent(account)}?week=${visit.monday}`);
    if (request.method !== 'POST') return eventPage(visit, event);
    source.change(account, readChange(form, event));
    return seeOther(`../${encodeURIComponent(account)}?week=${form.get('day') || visit.monday}`);
  } catch (error) {
    return weekPage(visit, error instanceof Error ? error.message : String(error));
  }
}

function readMonday(week: string | null, zone: Zone, nowMs: number): string {
  const day = (week === null ? null : parseLocalDate(week)) ?? zone.toLocal(nowMs);
  const number = Math.floor(day / dayMs);
  // 1970-01-01 was a Thursday.
  return printLocalDate((number - ((number + 3) % 7)) * dayMs);
}

function eventsOf({ source, account, zone, monday }: Visit): PageEvent[] {
  const at = (day: string) => zone.toInstant(parseLocalDate(day) ?? 0);
  return source
    .events(account, at(monday), at(dayAfter(monday, 7)))
    .sort((a, b) => Number(b.allDay) - Number(a.allDay) || a.startMs - b.startMs || (a.title < b.title ? -1 : 1));
}

function accountsPage(source: PageSource): Reply {
  const accounts = source.accounts();
  const body = html`<div class="narrow"><h1>Simulated accounts</h1>
<p class="soft">Edit a calendar here as its owner would, and watch Holdfast follow.</p>
${accounts.length === 0 && html`<p>There is no account yet. Connect one in Holdfast.</p>`}
<ul class="plain">${accounts.map(({ account, name }) => html`<li><a class="pick" href="people/${encodeURIComponent(account)}"><span class="face" aria-hidden="true">${name.charAt(0).toUpperCase()}</span><span>${name}<br><span class="soft">${account}</span></span></a></li>`)}</ul></div>`;
  return pageReply({ title: `${source.brand.name}, simulated`, brand: source.brand, body });
}

function weekPage(visit: Visit, problem?: string): Reply {
  const { source, account, zone, nowMs, monday } = visit;
  const own = encodeURIComponent(account);
  const name = source.accounts().find((one) => one.account === account)?.name ?? account;
  const today = printLocalDate(zone.toLocal(nowMs));
  const events = eventsOf(visit);
  const calendars = source.calendars(account);
  const days = Array.from({ length: 7 }, (_, i) => dayAfter(monday, i));
  const body = html`<div class="row between"><div><h1>${name}</h1><p class="soft">${account}, ${zone.id}</p></div>
<nav class="row" aria-label="Week"><a class="button" href="${own}?week=${dayAfter(monday, -7)}">Earlier</a><a class="button" href="${own}">Today</a><a class="button" href="${own}?week=${dayAfter(monday, 7)}">Later</a></nav></div>
${problem && html`<p class="danger" role="alert">${problem}</p>`}
<p class="soft">${longDay(monday)} to ${longDay(dayAfter(monday, 6))}</p>
<section class="week" aria-label="Events of the week">${days.map((day) => dayColumn(visit, day, day === today, events, calendars))}</section>
${createForm(own, days.includes(today) ? today : monday, calendars)}
<p class="soft foot"><a href="../">All accounts</a></p>`;
  return pageReply({ title: `${name}, week of ${monday}`, brand: source.brand, body, status: problem ? 400 : 200 });
}

function dayColumn(
  visit: Visit,
  day: string,
  isToday: boolean,
  events: PageEvent[],
  calendars: PageCalendar[],
): Markup {
  const { zone } = visit;
  const span = {
    startMs: zone.toInstant(parseLocalDate(day) ?? 0),
    endMs: zone.toInstant(parseLocalDate(dayAfter(day, 1)) ?? 0),
  };
  const shown = events.filter((event) => overlaps(event, span));
  return html`<div class="day${isToday ? ' today' : ''}"><h2><span>${shortWeekday(day)}</span><span>${Number(day.slice(8))}</span></h2>${shown.map((event) => eventCard(visit, event, calendars))}</div>`;
}

function eventCard({ account, zone, monday }: Visit, event: PageEvent, calendars: PageCalendar[]): Markup {
  const calendar = calendars.find(({ id }) => id === event.calendar);
  const query = new URLSearchParams({ week: monday, calendar: event.calendar, id: event.id }).toString();
  const notes = [...event.notes, ...(event.free ? ['Free'] : []), ...(event.repeats ? ['Repeats'] : [])];
  const classes = `event${event.free ? ' free' : ''}${event.declined ? ' declined' : ''}`;
  return html`<a class="${classes}" style="--tone: ${calendar?.color ?? 'gray'}" href="${encodeURIComponent(account)}/event?${query}"><span class="at">${event.allDay ? 'All day' : clockSpan(event, zone)}</span><span class="what">${event.title}</span>${notes.length > 0 && html`<br><span class="tag">${notes.join(', ')}</span>`}</a>`;
}

function createForm(own: string, day: string, calendars: PageCalendar[]): Markup {
  const writable = calendars.filter((calendar) => calendar.writable);
  return html`<form class="card" method="post" action="${own}/create"><fieldset><legend>New event</legend>
<div class="fields">
<label>Title <input name="title" required maxlength="200" autocomplete="off"></label>
<label>Calendar <select name="calendar">${writable.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</select></label>
<label>Day <input type="date" name="day" value="${day}" required></label>
<label>From <input type="time" name="from" value="10:00"></label>
<label>To <input type="time" name="to" value="11:00"></label>
<label>Repeats <select name="repeats"><option value="no">Never</option><option value="daily">Every day, 5 times</option><option value="weekly">Every week</option></select></label>
</div><label class="check"><input type="checkbox" name="allDay" value="yes">All day</label></fieldset>
<button class="main">Create</button></form>`;
}

function readCreate(form: URLSearchParams): PageCommand {
  const repeats = form.get('repeats');
  return {
    do: 'create',
    calendar: form.get('calendar') ?? '',
    title: form.get('title')?.trim() || 'Untitled',
    time: readTime(form),
    repeats: repeats === 'daily' || repeats === 'weekly' ? repeats : 'no',
  };
}

function readTime(form: URLSearchParams): PageTime {
  const day = form.get('day') ?? '';
  if (parseLocalDate(day) === null) throw new Error('Choose a day.');
  if (form.get('allDay') === 'yes') return { allDay: true, start: day, end: dayAfter(form.get('lastDay') || day, 1) };
  const from = form.get('from') || '10:00';
  const to = form.get('to') || '11:00';
  // An end that is not after the start is on the next day.
  return { allDay: false, start: `${day}T${from}`, end: `${to > from ? day : dayAfter(day, 1)}T${to}` };
}

function readChange(form: URLSearchParams, event: PageEvent): PageCommand {
  const { calendar, id } = event;
  const about = { calendar, id, wholeSeries: form.get('scope') === 'series' };
  const what = form.get('do') ?? '';
  const minutes = /^move ([+-]\d+)$/.exec(what)?.[1];
  if (minutes !== undefined) return { do: 'move', ...about, minutes: Number(minutes) };
  switch (what) {
    case 'accepted':
    case 'declined':
    case 'tentative':
      if (!event.answerable) throw new Error('Only invitations can be answered.');
      return { do: 'respond', ...about, response: what };
    case 'delete':
      return { do: 'delete', ...about };
    default:
      return {
        do: 'edit',
        ...about,
        title: form.get('title')?.trim() || event.title,
        time: readTime(form),
        free: form.get('free') === 'yes',
      };
  }
}
