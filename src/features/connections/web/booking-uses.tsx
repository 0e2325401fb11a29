import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import styles from './account-card.module.css';
import type { Account, AccountCalendar } from './queries.ts';

const api = createClient(bookingContract);

/** Upcoming bookings, event types, and booking links that depend on the account. */
export function BookingUses({ account, calendars }: { account: Account; calendars: AccountCalendar[] }) {
  const { t } = useTranslation();
  const calendarIds = calendars.map(({ calendarId }) => calendarId);
  const { types, links, bookings } = useBookingUses(account, calendarIds);
  return (
    <>
      {bookings > 0 ? (
        <Banner state="warn" title={t('connections.disconnectDialog.bookings', { count: bookings })}>
          {t('connections.disconnectDialog.bookingsText')}{' '}
          {account.provider === 'holdfast'
            ? null
            : t('connections.disconnectDialog.bookingsStay', { account: account.email })}
        </Banner>
      ) : null}
      {types.length > 0 ? (
        <Banner state="warn" title={t('connections.disconnectDialog.types', { count: types.length })}>
          <Names names={types.map(({ id, title }) => ({ id, name: title }))} />
          {t('connections.disconnectDialog.typesText')}
        </Banner>
      ) : null}
      {links.length > 0 ? (
        <Banner state="warn" title={t('connections.disconnectDialog.links', { count: links.length })}>
          <Names names={links.map(({ id, url }) => ({ id, name: url.replace(/^https?:\/\//, '') }))} />
        </Banner>
      ) : null}
    </>
  );
}

const pageSize = 200;
/** As many bookings as are moved to another calendar. */
const mostPages = 10;

/** The calendar of each upcoming booking. */
async function listUpcomingCalendars(signal: AbortSignal): Promise<(string | null)[]> {
  const calendars: (string | null)[] = [];
  for (let page = 0, after: string | undefined; page < mostPages; page += 1) {
    const query = { scope: 'upcoming' as const, limit: pageSize, ...(after === undefined ? {} : { after }) };
    const { bookings } = await api.listBookings({ query }, { signal });
    calendars.push(...bookings.map(({ calendar_id }) => calendar_id));
    after = bookings.at(-1)?.booking_id;
    if (bookings.length < pageSize) break;
  }
  return calendars;
}

/**
 * Event types that name a calendar of an account, booking links that lead to it, and the number of upcoming bookings in
 * it; nothing of each until it is known.
 */
function useBookingUses({ accountId }: Account, calendarIds: readonly string[]) {
  const types = useQuery({
    queryKey: ['booking', 'types'],
    queryFn: ({ signal }) => api.listEventTypes({}, { signal }),
  });
  const links = useQuery({
    queryKey: ['booking', 'links'],
    queryFn: ({ signal }) => api.listBookingLinks({ query: {} }, { signal }),
  });
  const bookings = useQuery({
    queryKey: ['booking', 'upcoming-calendars'],
    queryFn: ({ signal }) => listUpcomingCalendars(signal),
  });
  const isIts = (calendarId: string | null) => calendarId !== null && calendarIds.includes(calendarId);
  return {
    types: (types.data?.event_types ?? []).filter(
      ({ settings }) => isIts(settings.target_calendar_id) || settings.blocking_calendar_ids?.some(isIts),
    ),
    links: (links.data?.links ?? []).filter((link) => link.account_id === accountId || isIts(link.calendar_id)),
    bookings: (bookings.data ?? []).filter(isIts).length,
  };
}

function Names({ names }: { names: { id: string; name: string }[] }) {
  return (
    <ul className={styles.names}>
      {names.map(({ id, name }) => (
        <li key={id}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
