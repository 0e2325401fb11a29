import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type QuestionAnswer,
  questionEndpoints,
  type ShownQuestion,
} from '#features/booking/rules/question-endpoints.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Button } from '#ui/button.tsx';
import { TwoLines } from '#ui/data-table.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './decisions-panel.module.css';
import { type GuestAnswer, QuestionDialog } from './question-dialog.tsx';
import { useBookingWhen } from './use-booking-when.ts';

const api = createClient(questionEndpoints);

/** Open questions about one booking. */
type Questions = [ShownQuestion, ...ShownQuestion[]];
const queryKey = ['booking', 'questions'];
/** Answers that change the booking or write to its guests: once is enough, and other questions are asked anew. */
const isOnce = (answer: QuestionAnswer) => answer !== 'ignore';

/** Bookings that a host's calendars contradict, and the answers. */
export function useQuestions() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { data, isPending: isAwaited } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.listQuestions(undefined, { signal }),
  });
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ group, answer }: { group: Questions; answer: QuestionAnswer }) => {
      const call = ({ booking_id, question_id }: ShownQuestion, given: QuestionAnswer) =>
        api.answerQuestion({ params: { booking_id }, body: { question_id, answer: given } });
      let left = await call(group[0], answer);
      for (const { question_id: id } of group.slice(1)) {
        // Guests who were asked for another time are asked once: other overlaps of the booking stay as they are.
        const given = answer === 'ask-guest' || !isOnce(answer) ? 'ignore' : null;
        const still = left.questions.find((one) => one.question_id === id);
        if (given !== null && still?.answers.includes(given)) left = await call(still, given);
      }
      return left;
    },
    onSuccess: (left) => queryClient.setQueryData(queryKey, left),
    onError: (error) =>
      showToast({
        subject: 'question',
        state: 'bad',
        message: t('meetings.booking.failed', { reason: errorText(error) }),
      }),
    onSettled: () =>
      Promise.all(['meetings', 'booking', 'inbox'].map((area) => queryClient.invalidateQueries({ queryKey: [area] }))),
  });
  return {
    groups: [...Map.groupBy(data?.questions ?? [], (one) => one.booking_id).values()] as Questions[],
    isAwaited,
    isPending,
    answer: (group: Questions, answer: QuestionAnswer) => {
      if (!isPending) mutate({ group, answer });
    },
  };
}

interface QuestionRowProps {
  group: Questions;
  /** An answer, to this or another, is on its way. */
  pending: boolean;
  onAnswer: (answer: QuestionAnswer) => void;
}

const isForGuests = (answer: QuestionAnswer): answer is GuestAnswer => answer === 'cancel' || answer === 'ask-guest';

/** One booking with what contradicts it; the answer counts for all of that. */
export function QuestionRow({ group, pending, onAnswer }: QuestionRowProps) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const [asking, setAsking] = useState<GuestAnswer | null>(null);
  const [question, ...more] = group;
  const { kind, title, guests, moved_to: movedTo, in_the_way: other } = question;
  const name = t('meetings.details.with', { title, invitee: guests.join(', ') });
  const there = movedTo ?? other;
  const isElsewhere =
    there !== null && (there.start_time !== question.start_time || there.end_time !== question.end_time);
  const why = t(`meetings.questions.kind.${kind}`, { other: other?.title ?? '' });
  return (
    <>
      <span className={styles.who}>
        <TwoLines
          first={
            <Link
              to="."
              search={(before: Record<string, unknown>) => ({ ...before, booking: question.booking_id })}
              className={styles.link}
            >
              {name}
            </Link>
          }
          second={more.length === 0 ? why : t('meetings.questions.more', { why, count: more.length })}
        />
      </span>
      <span className={styles.when}>
        <TwoLines
          first={when.ofHost(question.start_time, question.end_time)}
          second={isElsewhere ? secondTime(movedTo !== null, when.ofHost(there.start_time, there.end_time)) : null}
        />
      </span>
      <span className={styles.actions}>
        {shared(group).map((one) => (
          <Button
            key={one}
            size="xs"
            variant={one === 'cancel' ? 'subtle' : 'default'}
            {...(one === 'cancel' ? { color: 'gray' } : {})}
            aria-disabled={pending}
            data-pending={pending || undefined}
            onClick={() => (isForGuests(one) ? setAsking(one) : onAnswer(one))}
          >
            {t(`meetings.questions.answer.${one}`)}
            <span className="hf-sr-only"> {name}</span>
          </Button>
        ))}
      </span>
      {asking === null ? null : (
        <QuestionDialog
          question={question}
          answer={asking}
          onAnswer={() => onAnswer(asking)}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** An arrow stands for a move only; the time of another event has none. */
const secondTime = (isMove: boolean, time: string) => (isMove ? `→ ${time}` : time);

/** Answers that all of its questions can be given; where there is none, those of the first. */
function shared([first, ...more]: Questions): QuestionAnswer[] {
  const common = first.answers.filter((one) => more.every(({ answers }) => answers.includes(one)));
  return common.length > 0 ? common : first.answers;
}
