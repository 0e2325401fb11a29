import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { SelectField } from '#ui/text-field.tsx';
import type { HostBooking, LaterDate } from './booking-queries.ts';
import styles from './cancel-dialog.module.css';
import type { BookingActs } from './use-booking-acts.ts';
import { useBookingWhen } from './use-booking-when.ts';
import { useUnmailed } from './use-unmailed.ts';

export interface EndDialogProps {
  kind: 'cancel' | 'decline';
  booking: HostBooking;
  /** So many of its series are meant, all that wait. */
  times?: number;
  /** Later dates of its series that can be canceled with it. */
  later?: readonly LaterDate[];
  acts: BookingActs;
  onClose: () => void;
}

/** Cancelling and declining are told at once, and cannot be taken back: the question comes before. */
export function EndDialog({ kind, booking, times = 1, later = [], acts, onClose }: EndDialogProps) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const unmailed = useUnmailed().before(booking);
  const [reason, setReason] = useState('');
  const [everyone, setEveryone] = useState(false);
  const [following, setFollowing] = useState(false);
  const { name, title, start_time: startMs, end_time: endMs } = booking;
  const end = () => {
    if (kind === 'cancel') acts.cancel(booking, reason, { everyone, later: following ? later : [] });
    else acts.decline(booking, reason, times);
    onClose();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size="sm"
      title={t(`meetings.booking.endTitle.${kind}`, { name, title })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('meetings.booking.keep')}
          </Button>
          <Button color="bad" onClick={end}>
            {following
              ? t('meetings.booking.endConfirm.dates', { count: later.length + 1 })
              : t(`meetings.booking.endConfirm.${kind}`)}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {kind === 'cancel' && later.length > 0 ? (
          <SelectField
            label={t('meetings.booking.which')}
            value={following ? 'following' : 'this'}
            onChange={(event) => setFollowing(event.currentTarget.value === 'following')}
            data={[
              { value: 'this', label: t('meetings.booking.whichThis') },
              { value: 'following', label: t('meetings.booking.whichLater', { count: later.length }) },
            ]}
          />
        ) : null}
        {following ? (
          <>
            <ul className={styles.dates} aria-label={t('meetings.booking.which')}>
              {[booking, ...later].map((date) => (
                <li key={date.booking_id}>{when.ofHost(date.start_time, date.end_time)}</li>
              ))}
            </ul>
            <p>
              {unmailed === null
                ? t('meetings.booking.endText.dates', { name })
                : t('meetings.booking.endText.freesAll')}
            </p>
          </>
        ) : (
          <p>
            {times > 1 ? t('meetings.requests.times', { times }) : when.ofHost(startMs, endMs)}.{' '}
            {times === 1 && booking.series_id !== null ? `${t('meetings.booking.onlyThisDate')} ` : ''}
            {t(`meetings.booking.endText.${unmailed === null ? kind : 'frees'}`, { name })}
          </p>
        )}
        {unmailed === null ? null : <p role="note">{unmailed}</p>}
        {kind === 'cancel' && booking.seats > 1 ? (
          <Checkbox
            label={t('meetings.booking.everyone')}
            checked={everyone}
            onChange={(event) => setEveryone(event.currentTarget.checked)}
          />
        ) : null}
        <TextArea
          label={t('meetings.booking.reason', { name })}
          maxLength={1_000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  );
}
