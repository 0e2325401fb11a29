/**
 * The page of an event in Google Calendar: `eid` is the base64url of event id and calendar id, as `htmlLink` has it, where
 * an instance is named after its series and original start. Source: Calendar API, Events resource, `htmlLink`.
 */
export function googleEventUrl(place: { calendarRef: string; itemRef: string; recId: string }): string {
  const event = place.recId === '' ? place.itemRef : `${place.itemRef}_${place.recId}`;
  const eid = Buffer.from(`${event} ${place.calendarRef}`).toString('base64url');
  return `https://www.google.com/calendar/event?eid=${eid}`;
}
