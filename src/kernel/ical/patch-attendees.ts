import type { Attendee, SelfResponse } from '#kernel/event.ts';
import { readProperty } from '#kernel/ical/content-lines.ts';
import { type EventDraft, parametersBut, parameterValue } from '#kernel/ical/event-draft.ts';
import { cleanText, emailPattern, mailtoOf } from '#kernel/ical/ical-text.ts';
import { attendeeEmail, ownAttendees } from '#kernel/ical/read-event.ts';

const answers: Record<NonNullable<Attendee['response']>, string> = {
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
  'needs-action': 'NEEDS-ACTION',
};

/**
 * Writes the list of invited people: a line for each new person, none for removed ones. Rooms, the owner and other
 * people outside the model stay. `owner` becomes the organizer if the event had none. Source: RFC 5545 3.8.4.1,
 * 3.8.4.3.
 */
export function patchAttendees(event: EventDraft, before: Attendee[], after: Attendee[], owner: string | undefined) {
  const { raw } = event;
  // a person may have several
  const lines = Map.groupBy(raw.attendees, attendeeEmail);
  const was = new Map(before.map((person) => [person.email, person]));
  const stays = new Set(after.map(({ email }) => email));
  for (const { email } of before) {
    if (!stays.has(email)) for (const line of lines.get(email) ?? []) event.put(line, null);
  }
  const last = raw.attendees.at(-1) ?? raw.one.get('ORGANIZER');
  const organizer = raw.one.get('ORGANIZER');
  if (organizer === undefined && owner !== undefined && after.length > before.length) {
    event.add(`ORGANIZER:${mailtoOf(owner)}`, last);
  }
  for (const person of after) {
    if (!emailPattern.test(person.email)) throw new RangeError('An attendee has no e-mail address.');
    const known = was.get(person.email);
    const own = lines.get(person.email);
    if (own === undefined) {
      // the organizer is among the people without a line of their own
      if (organizer === undefined || attendeeEmail(organizer) !== person.email) event.add(attendeeLine(person), last);
      continue;
    }
    if (known?.name === person.name && known?.response === person.response) continue;
    for (const line of own) {
      const kept = parametersBut(line, ['CN', 'PARTSTAT']);
      event.put(line, `ATTENDEE${kept}${personParameters(person)}:${readProperty(line).value}`);
    }
  }
}

/**
 * Writes what the owner of the calendar answers, on each of their lines; all else of it stays. *Errors*: RangeError where they are not
 * invited. Source: RFC 5545 3.2.12, RFC 6638 3.2.2.1.
 */
export function patchOwnAnswer(event: EventDraft, self: ReadonlySet<string>, answer: SelfResponse): void {
  const lines = ownAttendees(event.raw, self);
  if (lines.length === 0 || answer === 'none' || answer === 'organizer')
    throw new RangeError('The owner of the calendar is not invited.');
  for (const line of lines) {
    const kept = parametersBut(line, ['PARTSTAT']);
    event.put(line, `ATTENDEE${kept};PARTSTAT=${answers[answer]}:${readProperty(line).value}`);
  }
}

function attendeeLine(person: Attendee): string {
  const asks = person.response === undefined || person.response === 'needs-action' ? ';RSVP=TRUE' : '';
  return `ATTENDEE;ROLE=REQ-PARTICIPANT${personParameters(person)}${asks}:${mailtoOf(person.email)}`;
}

function personParameters({ name, response }: Attendee): string {
  const clean = cleanText(name ?? '', 200).trim();
  const called = clean === '' ? '' : `;CN=${parameterValue(clean)}`;
  return `${called};PARTSTAT=${answers[response ?? 'needs-action']}`;
}
