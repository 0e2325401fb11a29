import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { TwoLines } from '#ui/data-table.tsx';
import type { HostBooking } from './booking-queries.ts';
import styles from './decisions-panel.module.css';
import type { useBookingActs } from './use-booking-acts.ts';
import { useBookingWhen } from './use-booking-when.ts';

/** The request of one guest: a booking, or the waiting ones of a series. */
export type Asked = [HostBooking, ...HostBooking[]];

export function RequestRow({
  asked,
  acts,
  onDecline,
}: {
  asked: Asked;
  acts: ReturnType<typeof useBookingActs>;
  onDecline: () => void;
}) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const [booking] = asked;
  const { name, title, start_time: startMs, end_time: endMs, zone } = booking;
  const times = asked.length;
  const words = times > 1 ? 'All' : '';
  return (
    <>
      <span className={styles.who}>
        <TwoLines
          first={<ToDetails booking={booking}>{t('meetings.requests.one', { name, title })}</ToDetails>}
          second={t('meetings.decisions.asks', { email: booking.email })}
        />
      </span>
      {times === 1 ? (
        <span className={styles.when}>
          <TwoLines first={when.ofHost(startMs, endMs)} second={when.ofGuest(startMs, zone)} />
        </span>
      ) : (
        <ul className={styles.times} aria-label={t('meetings.requests.times', { times })}>
          {asked.map((one) => (
            <li key={one.booking_id}>
              <ToDetails booking={one}>{when.ofHost(one.start_time, one.end_time)}</ToDetails>
            </li>
          ))}
        </ul>
      )}
      <span className={styles.actions}>
        <Button variant="default" size="xs" onClick={onDecline}>
          {t(`meetings.booking.action.decline${words}`, { times })}
          <span className="hf-sr-only"> {name}</span>
        </Button>
        <Button variant="default" size="xs" onClick={() => acts.confirm(booking, times)}>
          {t(`meetings.booking.action.confirm${words}`, { times })}
          <span className="hf-sr-only"> {name}</span>
        </Button>
      </span>
    </>
  );
}

/** Link to the details, where a single time can be answered. */
function ToDetails({ booking, children }: { booking: HostBooking; children: string }) {
  return (
    <Link
      to="."
      search={(before: Record<string, unknown>) => ({ ...before, booking: booking.booking_id })}
      className={styles.link}
    >
      {children}
    </Link>
  );
}
