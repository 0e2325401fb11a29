import { useTranslation } from 'react-i18next';
import { TwoLines } from '#ui/data-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import styles from '../mirrors/mirror-details.module.css';
import type { BookingHistory as History } from './booking-queries.ts';
import { useBookingWhen } from './use-booking-when.ts';

const kinds = [
  'mail-wanted',
  'mail-withheld',
  'requested',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
  'rescheduled',
  'reassigned',
  'no-show',
  'linked',
  'restored',
  'guest-answered',
  'guest-declined',
] as const;

/** The history of a booking, the latest first. */
export function BookingHistory({ history }: { history: History }) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  return (
    <ul className={styles.invitees}>
      {history.toReversed().map((entry) => {
        const known = kinds.find((kind) => kind === entry.kind);
        const from = movedFrom(entry.details);
        return (
          <li key={`${entry.at} ${entry.kind}`}>
            <TwoLines
              first={known === undefined ? entry.kind : t(`meetings.booking.happened.${known}`)}
              second={[
                typeof entry.details.guest === 'string'
                  ? entry.details.guest
                  : t(`meetings.booking.actor.${entry.actor}`),
                from === null ? null : t('meetings.booking.movedFrom', { when: when.moment(from) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            />
            <span className={styles.response}>
              <RelativeTime at={Temporal.Instant.fromEpochMilliseconds(entry.at).toString()} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function movedFrom({ from }: Record<string, unknown>): number | null {
  if (typeof from !== 'object' || from === null || !('startMs' in from)) return null;
  return typeof from.startMs === 'number' ? from.startMs : null;
}
