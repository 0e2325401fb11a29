import { useTranslation } from 'react-i18next';
import type { HostBooking } from './booking-queries.ts';

/** Texts about a guest who has stopped emails, with the ways to reach them. Null and unchanged for every other guest. */
export function useUnmailed() {
  const { t } = useTranslation();
  const valuesOf = ({ name, email, phone }: HostBooking) => ({
    name,
    contact: [email, phone].filter(Boolean).join(', '),
  });
  return {
    before: (booking: HostBooking) =>
      booking.email_stopped ? t('meetings.booking.unmailed', valuesOf(booking)) : null,
    after: (booking: HostBooking, done: string) =>
      booking.email_stopped ? t('meetings.booking.unmailedDone', { done, ...valuesOf(booking) }) : done,
  };
}
