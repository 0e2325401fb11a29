import { useTranslation } from 'react-i18next';
import type { QuestionAnswer, ShownQuestion } from '#features/booking/rules/question-endpoints.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useBookingWhen } from './use-booking-when.ts';

/** Answers that email the guests and can't be undone. */
export type GuestAnswer = Extract<QuestionAnswer, 'cancel' | 'ask-guest'>;

export interface QuestionDialogProps {
  question: ShownQuestion;
  answer: GuestAnswer;
  onAnswer: () => void;
  onClose: () => void;
}

/** Asks before an answer emails the guests of a booking. */
export function QuestionDialog({ question, answer, onAnswer, onClose }: QuestionDialogProps) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const { title, guests, start_time: startMs, end_time: endMs } = question;
  const name = guests.join(', ');
  return (
    <Dialog
      opened
      onClose={onClose}
      size="sm"
      title={
        answer === 'cancel'
          ? t('meetings.booking.endTitle.cancel', { title, name })
          : t('meetings.questions.ask.title', { name })
      }
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {answer === 'cancel' ? t('meetings.booking.keep') : t('meetings.questions.ask.back')}
          </Button>
          <Button
            {...(answer === 'cancel' ? { color: 'bad' } : {})}
            onClick={() => {
              onAnswer();
              onClose();
            }}
          >
            {answer === 'cancel' ? t('meetings.booking.endConfirm.cancel') : t('meetings.questions.ask.confirm')}
          </Button>
        </>
      }
    >
      <p>
        {when.ofHost(startMs, endMs)}.{' '}
        {answer === 'cancel'
          ? t('meetings.booking.endText.cancel', { name })
          : t('meetings.questions.ask.text', { name })}
      </p>
    </Dialog>
  );
}
