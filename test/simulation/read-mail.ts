import ICAL from 'ical.js';
import type { ReceivedMail } from '../harness/smtp-server.ts';

/** A mail as a mail program shows it: decoded, its calendar part parsed by another program's parser. */
export interface ReadMail {
  to: string;
  /** Without its angle brackets. */
  messageId: string;
  subject: string;
  /** Headers, text, HTML and unfolded calendar parts, each decoded. */
  everything: string;
  text: string;
  calendar: { method: string; events: ICAL.Component[] } | null;
}

export function readMail({ to, parsed }: ReceivedMail): ReadMail {
  const calendars = parsed.attachments
    .filter(({ mimeType }) => mimeType === 'text/calendar' || mimeType === 'application/ics')
    .map(({ content }) => (typeof content === 'string' ? content : new TextDecoder().decode(content)));
  const [first] = calendars;
  const headers = parsed.headers.map(({ key, value }) => `${key}: ${value}`);
  const unfolded = calendars.map((text) => text.replaceAll(/\r?\n[ \t]/g, ''));
  return {
    to: to[0] ?? '',
    messageId: (parsed.messageId ?? '').replace(/^<|>$/g, ''),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    everything: [...headers, parsed.text, parsed.html, ...unfolded].join('\n'),
    calendar: first === undefined ? null : readCalendar(first),
  };
}

function readCalendar(text: string): ReadMail['calendar'] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  return {
    method: String(calendar.getFirstPropertyValue('method')),
    events: calendar.getAllSubcomponents('vevent'),
  };
}
