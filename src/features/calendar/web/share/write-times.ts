import type { TFunction } from 'i18next';
import { escapeHtml } from '#kernel/html.ts';
import { minuteMs } from '#kernel/time/civil.ts';
import { zoneLabel } from '../time-labels.ts';

export interface SharedTimes {
  starts: readonly number[];
  minutes: number;
  /** Zone of the readers. */
  zone: string;
  url: string;
  locale: string;
  timeFormat: '12h' | '24h';
}

/** Times as they are sent to somebody: plain, and with a link for each. */
export function writeTimes(shared: SharedTimes, t: TFunction): { text: string; html: string } {
  const { starts, minutes, zone, url, locale, timeFormat } = shared;
  const day = new Intl.DateTimeFormat(locale, { timeZone: zone, weekday: 'long', month: 'long', day: 'numeric' });
  const time = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: timeFormat === '24h' ? 'h23' : 'h12',
  });
  const days = Map.groupBy(starts, (startMs) => day.format(startMs));
  const range = (startMs: number) => time.formatRange(startMs, startMs + minutes * minuteMs);
  const intro = t('share.intro', { count: minutes });
  const outro = t('share.outro', { zone: zoneLabel(zone) });
  const text = [
    intro,
    ...[...days].map(([name, ofDay]) => [name, ...ofDay.map((startMs) => `- ${range(startMs)}`)].join('\n')),
    `${outro}\n${url}`,
  ].join('\n\n');
  const linkOf = (startMs: number) => {
    const query = new URLSearchParams({ slot: String(startMs / minuteMs), tz: zone });
    return escapeHtml(`${url}?${query}`);
  };
  const html = [
    `<p>${escapeHtml(intro)}</p>`,
    ...[...days].map(([name, ofDay]) => {
      const items = ofDay.map((startMs) => `<li><a href="${linkOf(startMs)}">${escapeHtml(range(startMs))}</a></li>`);
      return `<p><b>${escapeHtml(name)}</b></p>\n<ul>${items.join('')}</ul>`;
    }),
    `<p>${escapeHtml(outro)} <a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
  ].join('\n');
  return { text, html };
}
