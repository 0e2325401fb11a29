import { useQuery } from '@tanstack/react-query';
import { createLink } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ButtonAnchor } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { formatDay, formatTime } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';

const api = createClient(bookingContract);
const LinkButton = createLink(ButtonAnchor);
const mostShown = 5;

/** Bookings outside the current hours. They stay booked, and the host should know. */
export function OutsideHours() {
  const { t } = useTranslation();
  const reading = usePreferences();
  const nowMs = useNowMs();
  const list = useQuery({
    queryKey: ['availability', 'outside'],
    queryFn: ({ signal }) => api.listOutsideHours({}, { signal }),
  });
  const bookings = list.data?.bookings ?? [];
  if (bookings.length === 0) return null;
  return (
    <Banner
      state="warn"
      role="status"
      title={t('availability.outside.title', { count: bookings.length })}
      actions={
        <LinkButton to="/meetings" variant="default" size="xs">
          {t('availability.outside.show')}
        </LinkButton>
      }
    >
      <p>{t('availability.outside.text')}</p>
      <ul>
        {bookings.slice(0, mostShown).map(({ booking_id, title, name, start_time }) => (
          <li key={booking_id}>
            {t('availability.outside.booking', {
              title,
              name,
              day: formatDay(start_time, reading, nowMs),
              time: formatTime(start_time, reading),
            })}
          </li>
        ))}
        {bookings.length > mostShown ? (
          <li>{t('availability.outside.more', { count: bookings.length - mostShown })}</li>
        ) : null}
      </ul>
    </Banner>
  );
}
