import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button, IconButton } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { MomentField } from '#ui/dates/when-field.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import type { HostBooking } from './booking-queries.ts';
import styles from './move-dialog.module.css';
import { SlotChoice } from './slot-choice.tsx';
import type { BookingActs } from './use-booking-acts.ts';
import { useBookingWhen } from './use-booking-when.ts';
import { useUnmailed } from './use-unmailed.ts';

export interface MoveDialogProps {
  booking: HostBooking;
  acts: BookingActs;
  onClose: () => void;
}

const weekMs = 7 * 86_400_000;

/** Another time out of what is offered; any other only where its host says so in as many words. */
export function MoveDialog({ booking, acts, onClose }: MoveDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { zone } = usePreferences();
  const when = useBookingWhen();
  const unmailed = useUnmailed().before(booking);
  const [fromMs, setFromMs] = useState(() =>
    startOfDay(Math.max(when.nowMs, booking.start_time - 3 * 86_400_000), zone),
  );
  const [chosenMs, setChosenMs] = useState<number | null>(null);
  const [anyway, setAnyway] = useState(false);
  const [typed, setTyped] = useState(() => localOf(booking.start_time, zone));
  const [refused, setRefused] = useState<unknown>(null);
  const wantedMs = anyway ? msOfLocal(typed, zone) : chosenMs;
  const move = async () => {
    if (wantedMs === null) return;
    try {
      await acts.moveTo(booking, wantedMs, anyway);
      onClose();
    } catch (error) {
      setRefused(error);
    }
  };
  const { name, title, start_time: startMs, end_time: endMs, zone: guestZone } = booking;
  const length = endMs - startMs;
  const isFirst = fromMs <= when.nowMs;
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('meetings.booking.move.title', { name, title })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('meetings.booking.keepTime')}
          </Button>
          <ActionButton
            type="button"
            pending={acts.moving}
            pendingLabel={t('meetings.booking.move.pending')}
            aria-disabled={wantedMs === null || undefined}
            onClick={() => void move()}
          >
            {t('meetings.booking.move.confirm')}
          </ActionButton>
        </>
      }
    >
      <div className={styles.form}>
        <p className={styles.now}>
          {t('meetings.booking.move.now', { when: when.ofHost(startMs, endMs) })}
          {booking.seats > 1 ? ` ${t('meetings.booking.move.everyone')}` : ''}
          {booking.series_id === null ? '' : ` ${t('meetings.booking.onlyThisDate')}`}
        </p>
        {anyway ? null : (
          <>
            <div className={styles.week}>
              <IconButton
                label={t('meetings.booking.move.earlier')}
                aria-disabled={isFirst || undefined}
                onClick={() =>
                  isFirst ? undefined : setFromMs(startOfDay(Math.max(when.nowMs, fromMs - weekMs), zone))
                }
              >
                <IconChevronLeft size={18} aria-hidden />
              </IconButton>
              <span aria-live="polite">{t('meetings.booking.move.from', { day: when.day(fromMs) })}</span>
              <IconButton label={t('meetings.booking.move.later')} onClick={() => setFromMs(fromMs + weekMs)}>
                <IconChevronRight size={18} aria-hidden />
              </IconButton>
            </div>
            <SlotChoice
              bookingId={booking.booking_id}
              fromMs={Math.max(fromMs, when.nowMs)}
              toMs={fromMs + weekMs}
              chosenMs={chosenMs}
              onChoose={(ms) => {
                setChosenMs(ms);
                setRefused(null);
              }}
              onGoTo={(ms) => setFromMs(startOfDay(ms, zone))}
            />
          </>
        )}
        <Checkbox
          label={t('meetings.booking.move.anyway')}
          description={t('meetings.booking.move.anywayText')}
          checked={anyway}
          onChange={(event) => {
            setAnyway(event.currentTarget.checked);
            setRefused(null);
          }}
        />
        {anyway ? <MomentField label={t('meetings.booking.move.time')} value={typed} onValue={setTyped} /> : null}
        {wantedMs === null ? null : (
          <p className={styles.chosen} role="status">
            {t('meetings.booking.move.then', { when: when.ofHost(wantedMs, wantedMs + length) })}
            {when.ofGuest(wantedMs, guestZone) === null ? '' : ` · ${when.ofGuest(wantedMs, guestZone)}`}
          </p>
        )}
        {refused === null ? null : (
          <p className={styles.refused} role="alert">
            {errorText(refused)}
          </p>
        )}
        <p className={styles.now}>
          {unmailed ??
            t(booking.guests.length > 0 ? 'meetings.booking.move.toldGuests' : 'meetings.booking.move.told', { name })}
        </p>
      </div>
    </Dialog>
  );
}

const zoned = (ms: number, zone: string) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone);
const startOfDay = (ms: number, zone: string) => zoned(ms, zone).startOfDay().epochMilliseconds;
const localOf = (ms: number, zone: string) => zoned(ms, zone).toPlainDateTime().toString({ smallestUnit: 'minute' });

/** Null while it is no time yet. */
function msOfLocal(typed: string, zone: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(typed)) return null;
  return Temporal.PlainDateTime.from(typed).toZonedDateTime(zone).epochMilliseconds;
}
