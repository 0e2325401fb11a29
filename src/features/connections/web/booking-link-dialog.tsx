import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import type { CallInput } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import cardStyles from './account-card.module.css';
import styles from './booking-link-dialog.module.css';
import { LinkButton } from './link-button.ts';
import type { Account, AccountCalendar } from './queries.ts';

const api = createClient(bookingContract);
type NewLink = CallInput<typeof bookingContract.createBookingLink>['body'];
type TypeId = NonNullable<NewLink['event_type_id']>;

/** An account or a calendar that gets what is booked. */
export interface LinkPlace {
  kind: 'account' | 'calendar';
  id: string;
  name: string;
}

/** The booking link of an account or a calendar, made when it is asked for and the same ever after. */
export function BookingLinkDialog({ place, onClose }: { place: LinkPlace; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const found = useQuery({
    queryKey: ['booking', 'types'],
    queryFn: ({ signal }) => api.listEventTypes({}, { signal }),
  });
  const { mutate, ...generated } = useMutation({
    mutationFn: (eventTypeId: TypeId | undefined) =>
      api.createBookingLink({ body: { ...bodyOf(place), ...(eventTypeId && { event_type_id: eventTypeId }) } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['booking'] }),
  });
  useEffect(() => mutate(undefined), [mutate]);
  const link = generated.data?.link;
  const choices = found.data?.event_types ?? [];
  return (
    <Dialog opened onClose={onClose} title={t('connections.link.title', { name: place.name })} size="sm">
      {link ? (
        <div className={styles.link}>
          <QrCode text={link.url} label={t('connections.link.code', { name: place.name })} size={148} />
          <p className={styles.url}>{link.url}</p>
          <CopyButton text={link.url} fullWidth>
            {t('connections.link.copy')}
          </CopyButton>
          {choices.length > 1 ? (
            <SelectField
              className={styles.whole}
              label={t('connections.link.books')}
              value={generated.isPending ? (generated.variables ?? link.event_type_id) : link.event_type_id}
              data={choices.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(event) => mutate(event.currentTarget.value as TypeId)}
            />
          ) : (
            <p className={styles.text}>{t('connections.link.booksOne', { title: link.title })}</p>
          )}
          <LinkButton to="/booking-links/$typeId" params={{ typeId: link.event_type_id }} variant="subtle" size="xs">
            {t('connections.link.edit')}
          </LinkButton>
        </div>
      ) : generated.isError ? (
        <ErrorState title={t('connections.link.failed')} error={generated.error} onRetry={() => mutate(undefined)} />
      ) : (
        <SkeletonRows rows={3} label={t('connections.link.pending')} />
      )}
    </Dialog>
  );
}

const bodyOf = ({ kind, id }: LinkPlace): NewLink =>
  (kind === 'account' ? { kind, account_id: id } : { kind, calendar_id: id }) as NewLink;

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
    <ul className={cardStyles.names}>
      {names.map(({ id, name }) => (
        <li key={id}>
          <bdi>{name}</bdi>
        </li>
      ))}
    </ul>
  );
}
