import { contactOrders, contactSources, meetingAges } from '../rules.ts';

/** Search parameters of the list. */
export interface ContactSearch {
  q?: string;
  tag?: string;
  source?: (typeof contactSources)[number];
  met?: (typeof meetingAges)[number];
  order?: (typeof contactOrders)[number];
  /** The contact with the open profile. */
  contact?: string;
}

/** Reads the address; what does not fit is dropped, so that an old link still opens the list. */
export function readContactSearch(raw: Record<string, unknown>): ContactSearch & Record<string, unknown> {
  const oneOf = <Value extends string>(values: readonly Value[], given: unknown) => values.find((one) => one === given);
  // the router reads `?q=2026` as a number
  const text = (given: unknown, most: number) =>
    typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, most) : '';
  const [q, tag, contact] = [text(raw.q, 200), text(raw.tag, 40), text(raw.contact, 36)];
  const source = oneOf(contactSources, raw.source);
  const met = oneOf(meetingAges, raw.met);
  const order = oneOf(contactOrders, raw.order);
  return {
    ...(q ? { q } : {}),
    ...(tag ? { tag } : {}),
    ...(source ? { source } : {}),
    ...(met ? { met } : {}),
    ...(order ? { order } : {}),
    ...(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(contact) ? { contact } : {}),
  };
}

/** The filters of the list. */
export function filtersOf({ q, tag, source, met }: ContactSearch) {
  return { q, tag, source, met };
}

export function isFiltered(search: ContactSearch): boolean {
  return Object.values(filtersOf(search)).some((one) => one !== undefined);
}
