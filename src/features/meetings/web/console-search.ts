import { healths, scopes, sorts, statuses } from '#features/meetings/rules/views.ts';

/** The state of the console in its address. */
export interface ConsoleSearch {
  tab?: (typeof scopes)[number];
  page?: number;
  sort?: (typeof sorts)[number];
  order?: 'asc' | 'desc';
  /** For mirrors. */
  status?: (typeof statuses)[number];
  /** For meetings. */
  health?: (typeof healths)[number];
  calendar?: string;
  provider?: string;
  attendee?: string;
  from?: string;
  to?: string;
  search?: string;
  /** A booking whose details are open: what mails link to. */
  booking?: string;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text);

/** Reads the address; what does not fit is dropped, so that an old link still opens the console. */
export function readConsoleSearch(raw: Record<string, unknown>): ConsoleSearch & Record<string, unknown> {
  const oneOf = <Value extends string>(values: readonly Value[], given: unknown) => values.find((one) => one === given);
  // The router reads `?search=2026` as a number.
  const text = (given: unknown, most: number) =>
    typeof given === 'string' || typeof given === 'number' ? String(given).slice(0, most) : '';
  const tab = oneOf(scopes, raw.tab);
  const sort = oneOf(sorts, raw.sort);
  const order = oneOf(['asc', 'desc'] as const, raw.order);
  const status = oneOf(statuses, raw.status);
  const health = oneOf(healths, raw.health);
  const calendar = text(raw.calendar, 36);
  const provider = text(raw.provider, 40);
  const booking = text(raw.booking, 36);
  const attendee = text(raw.attendee, 320);
  const search = text(raw.search, 200);
  const [from, to] = [text(raw.from, 10), text(raw.to, 10)];
  const page = Number(raw.page);
  return {
    ...(tab ? { tab } : {}),
    ...(sort ? { sort } : {}),
    ...(order ? { order } : {}),
    ...(status ? { status } : {}),
    ...(health ? { health } : {}),
    ...(uuid.test(calendar) ? { calendar } : {}),
    ...(provider ? { provider } : {}),
    ...(attendee ? { attendee } : {}),
    ...(isDay(from) ? { from } : {}),
    ...(isDay(to) ? { to } : {}),
    ...(search ? { search } : {}),
    ...(uuid.test(booking) ? { booking } : {}),
    ...(Number.isInteger(page) && page > 1 && page <= 99_999 ? { page } : {}),
  };
}

/** A link that says `?status=failed` and no tab means the mirrors, which alone have a status. */
export function tabOf(search: ConsoleSearch): (typeof scopes)[number] {
  return search.tab ?? (search.status === undefined ? 'upcoming' : 'mirrors');
}

/** True where anything is left out. */
export function isFiltered({ status, health, calendar, provider, attendee, from, to, search }: ConsoleSearch): boolean {
  return [status, health, calendar, provider, attendee, from, to, search].some((one) => one !== undefined);
}
