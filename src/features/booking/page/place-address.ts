import type { BookingData, Place } from '../rules/visit-data.ts';

/** Where on the page of a link somebody is, as the address that shows it: links work without script. */
export function addressOf(
  { path, carried, type }: Pick<BookingData, 'path' | 'carried' | 'type'>,
  place: Place,
): string {
  const query = new URLSearchParams(carried);
  if (place.duration !== type.durations[0]) query.set('duration', String(place.duration));
  if (place.slot !== null) query.set('slot', String(place.slot));
  else {
    query.set('month', place.month);
    if (place.day !== null) query.set('day', place.day);
  }
  if (place.zones) query.set('zones', '1');
  if (place.all) query.set('all', '1');
  return `${path}?${query}`;
}
