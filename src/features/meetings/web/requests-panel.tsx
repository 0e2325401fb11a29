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

/** Who waits for an answer, above everything else; gone when everybody has one. */
export function RequestsPanel() {
  const { t } = useTranslation();
  const { data: requests = [] } = useRequests();
  const acts = useBookingActs();
  const [declining, setDeclining] = useState<HostBooking | null>(null);
  if (requests.length === 0) return null;
  return (
    <Panel flush title={t('meetings.requests.title', { count: requests.length })} text={t('meetings.requests.text')}>
      <ul className={styles.list}>
        {requests.map((booking) => (
          <Request key={booking.booking_id} booking={booking} onDecline={() => setDeclining(booking)} acts={acts} />
        ))}
      </ul>
      {declining ? (
        <EndDialog kind="decline" booking={declining} acts={acts} onClose={() => setDeclining(null)} />
      ) : null}
    </Panel>
  );
}

function Request({
  booking,
  acts,
  onDecline,
}: {
  booking: HostBooking;
  acts: ReturnType<typeof useBookingActs>;
  onDecline: () => void;
}) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const { name, title, start_time: startMs, end_time: endMs, zone } = booking;
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        <TwoLines
          first={
            <Link
              to="."
              search={(before: Record<string, unknown>) => ({ ...before, booking: booking.booking_id })}
              className={styles.link}
            >
              {t('meetings.requests.one', { name, title })}
            </Link>
          }
          second={booking.email}
        />
      </span>
      <span className={styles.when}>
        <TwoLines first={when.ofHost(startMs, endMs)} second={when.ofGuest(startMs, zone)} />
      </span>
      <span className={styles.actions}>
        <Button variant="default" size="xs" onClick={onDecline}>
          {t('meetings.booking.action.decline')}
          <span className="hf-sr-only"> {name}</span>
        </Button>
        <Button size="xs" onClick={() => acts.confirm(booking)}>
          {t('meetings.booking.action.confirm')}
          <span className="hf-sr-only"> {name}</span>
        </Button>
      </span>
    </li>
  );
}
