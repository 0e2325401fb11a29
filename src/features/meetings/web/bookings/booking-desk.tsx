import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState } from '#ui/error-state.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { DetailsSheet } from '../details/details-sheet.tsx';
import type { MeetingRow } from '../queries.ts';
import { BookingActions, BookingDetails, type BookingDetailsProps } from './booking-details.tsx';
import { useBooking } from './booking-queries.ts';
import { EndDialog } from './end-dialog.tsx';
import { GiveDialog } from './give-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { useBookingActs } from './use-booking-acts.ts';

export type BookingDialog = 'details' | 'move' | 'cancel' | 'give';

export interface BookingDeskProps {
  bookingId: string;
  /** Its row, where the list has it. */
  row: MeetingRow | null;
  tools?: BookingDetailsProps['tools'];
  /** The open dialog. Closing it only returns to where it was opened. */
  dialog: BookingDialog;
  onClose: () => void;
}

/** One booking and what is done with it. Loaded when somebody looks at one. */
export function BookingDesk({ bookingId, row, tools = null, dialog, onClose }: BookingDeskProps) {
  const { t } = useTranslation();
  const one = useBooking(bookingId);
  const acts = useBookingActs();
  const [act, setAct] = useState<'move' | 'cancel' | 'decline' | 'give' | null>(dialog === 'details' ? null : dialog);
  if (one.data === undefined || act === null) {
    return (
      <DetailsSheet
        title={t('meetings.booking.details')}
        onClose={onClose}
        actions={one.data ? <BookingActions booking={one.data.booking} acts={acts} onAct={setAct} /> : null}
      >
        {one.data ? (
          <BookingDetails {...one.data} row={row} tools={tools} />
        ) : one.error ? (
          <ErrorState title={t('meetings.booking.loadFailed')} error={one.error} onRetry={() => void one.refetch()} />
        ) : (
          <SkeletonRows rows={6} label={t('meetings.loading')} />
        )}
      </DetailsSheet>
    );
  }
  const { booking, series } = one.data;
  const back = () => (dialog === 'details' ? setAct(null) : onClose());
  if (act === 'move') return <MoveDialog booking={booking} acts={acts} onClose={back} />;
  if (act === 'give') return <GiveDialog booking={booking} onClose={back} />;
  return <EndDialog kind={act} booking={booking} later={series?.later ?? []} acts={acts} onClose={back} />;
}
