import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import {
  type HostBooking,
  type LaterDate,
  useCancelBooking,
  useConfirmBooking,
  useDeclineBooking,
  useMarkNoShow,
  useMoveBooking,
} from './booking-queries.ts';
import { useUnmailed } from './use-unmailed.ts';

/** Actions of a host on a booking, with their messages. Some offer to undo them. */
export function useBookingActs() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { after } = useUnmailed();
  const [confirm, decline, cancel] = [useConfirmBooking(), useDeclineBooking(), useCancelBooking()];
  const [move, mark] = [useMoveBooking(), useMarkNoShow()];

  const tell = (id: string, message: string, undo?: () => void) =>
    showToast({
      subject: `booking ${id}`,
      state: 'ok',
      message,
      ...(undo ? { action: { label: t('meetings.cancel.undo'), run: undo } } : {}),
    });
  const refuse = (id: string) => (error: unknown) => {
    showToast({
      subject: `booking ${id}`,
      state: 'bad',
      message: t('meetings.booking.failed', { reason: errorText(error) }),
    });
    return null;
  };
  const namesOf = ({ title, name }: HostBooking) => ({ title, name });

  const moveTo = async (booking: HostBooking, startMs: number, anyway: boolean): Promise<void> => {
    const { booking_id: id, sequence, start_time: beforeMs } = booking;
    const { booking: moved } = await move.mutateAsync({ id, startMs, sequence, anyway });
    // where it was may be outside of what is offered: it comes from there
    const moveBack = () =>
      void move
        .mutateAsync({ id, startMs: beforeMs, sequence: moved.sequence, anyway: true })
        .then(() => tell(id, after(booking, t('meetings.booking.movedBack', namesOf(booking)))), refuse(id));
    tell(id, after(booking, t('meetings.booking.moved', namesOf(booking))), moveBack);
  };
  const markNoShow = (booking: HostBooking, who: 'guest' | 'host', noShow: boolean): void => {
    const id = booking.booking_id;
    const what = noShow ? who : (`${who}Came` as const);
    void mark
      .mutateAsync({ id, who, noShow })
      .then(
        () =>
          tell(
            id,
            t(`meetings.booking.noShow.${what}`, namesOf(booking)),
            noShow ? () => markNoShow(booking, who, false) : undefined,
          ),
        refuse(id),
      );
  };
  return {
    /** `times`: so many of its series, all that wait. */
    confirm: (booking: HostBooking, times = 1) =>
      void confirm
        .mutateAsync({ id: booking.booking_id, series: seriesOf(booking, times) })
        .then(
          () =>
            tell(
              booking.booking_id,
              after(booking, t(`meetings.booking.confirmed.${all(times)}`, { ...namesOf(booking), times })),
            ),
          refuse(booking.booking_id),
        ),
    decline: (booking: HostBooking, reason: string, times = 1) =>
      void decline
        .mutateAsync({ id: booking.booking_id, series: seriesOf(booking, times), reason })
        .then(
          () =>
            tell(
              booking.booking_id,
              after(booking, t(`meetings.booking.declined.${all(times)}`, { ...namesOf(booking), times })),
            ),
          refuse(booking.booking_id),
        ),
    /** `later`: dates of its series that are canceled with it. */
    cancel: (
      booking: HostBooking,
      reason: string,
      { everyone, later }: { everyone: boolean; later: readonly LaterDate[] },
    ) =>
      void cancel
        .mutateAsync({ id: booking.booking_id, reason, everyone, later: later.map(({ booking_id: id }) => id) })
        .then(
          () =>
            tell(
              booking.booking_id,
              after(
                booking,
                later.length === 0
                  ? t('meetings.booking.cancelled', namesOf(booking))
                  : t('meetings.booking.cancelledDates', { ...namesOf(booking), count: later.length + 1 }),
              ),
            ),
          refuse(booking.booking_id),
        ),
    /** *Errors*: as the server refuses, for the dialog to say. */
    moveTo,
    markNoShow,
    moving: move.isPending,
  };
}

const seriesOf = ({ series_id: series }: HostBooking, times: number) => (times > 1 ? series : null);
const all = (times: number) => (times > 1 ? 'all' : 'one');

export type BookingActs = ReturnType<typeof useBookingActs>;
