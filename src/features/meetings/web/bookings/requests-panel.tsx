import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { TwoLines } from '#ui/data-table.tsx';
import { Panel } from '#ui/page.tsx';
import { type HostBooking, useRequests } from './booking-queries.ts';
import { EndDialog } from './end-dialog.tsx';
import styles from './requests-panel.module.css';
import { useBookingActs } from './use-booking-acts.ts';
import { useBookingWhen } from './use-booking-when.ts';

/** Requests that wait for an answer, above everything else. A series is answered as a whole. */
export function RequestsPanel() {
  const { t } = useTranslation();
  const { data = [] } = useRequests();
  const acts = useBookingActs();
  const [declining, setDeclining] = useState<Asked | null>(null);
  if (data.length === 0) return null;
  const requests = [...Map.groupBy(data, (one) => one.series_id ?? one.booking_id).values()] as Asked[];
  return (
    <Panel flush title={t('meetings.requests.title', { count: requests.length })} text={t('meetings.requests.text')}>
      <ul className={styles.list}>
        {requests.map((asked) => (
          <Request key={asked[0].booking_id} asked={asked} onDecline={() => setDeclining(asked)} acts={acts} />
        ))}
      </ul>
      {declining ? (
        <EndDialog
          kind="decline"
          booking={declining[0]}
          times={declining.length}
          acts={acts}
          onClose={() => setDeclining(null)}
        />
      ) : null}
    </Panel>
  );
}

/** The request of one guest: a booking, or the waiting ones of a series. */
type Asked = [HostBooking, ...HostBooking[]];

function Request({
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
    <li className={styles.row}>
      <span className={styles.who}>
        <TwoLines
          first={<ToDetails booking={booking}>{t('meetings.requests.one', { name, title })}</ToDetails>}
          second={booking.email}
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
        <Button size="xs" onClick={() => acts.confirm(booking, times)}>
          {t(`meetings.booking.action.confirm${words}`, { times })}
          <span className="hf-sr-only"> {name}</span>
        </Button>
      </span>
    </li>
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
