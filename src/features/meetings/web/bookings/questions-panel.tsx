import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
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
import { Panel } from '#ui/page.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './requests-panel.module.css';
import { useBookingWhen } from './use-booking-when.ts';

const api = createClient(questionEndpoints);

/** Questions to a host about calendars that differ from a booking. The panel closes when all are answered. */
export function QuestionsPanel() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: ['booking', 'questions'],
    queryFn: ({ signal }) => api.listQuestions(undefined, { signal }),
  });
  const answer = useMutation({
    mutationFn: ({ question, answer: given }: { question: ShownQuestion; answer: QuestionAnswer }) =>
      api.answerQuestion({
        params: { booking_id: question.booking_id },
        body: { question_id: question.question_id, answer: given },
      }),
    onSuccess: (left) => queryClient.setQueryData(['booking', 'questions'], left),
    onError: (error) =>
      showToast({
        subject: 'question',
        state: 'bad',
        message: t('meetings.booking.failed', { reason: errorText(error) }),
      }),
    onSettled: () =>
      Promise.all(['meetings', 'booking', 'inbox'].map((area) => queryClient.invalidateQueries({ queryKey: [area] }))),
  });
  const questions = data?.questions ?? [];
  if (questions.length === 0) return null;
  return (
    <Panel flush title={t('meetings.questions.title')} text={t('meetings.questions.text')}>
      <ul className={styles.list}>
        {questions.map((question) => (
          <Question
            key={question.question_id}
            question={question}
            pending={answer.isPending}
            onAnswer={(given) => {
              if (!answer.isPending) answer.mutate({ question, answer: given });
            }}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface QuestionProps {
  question: ShownQuestion;
  /** An answer, to this or another, is on its way. */
  pending: boolean;
  onAnswer: (answer: QuestionAnswer) => void;
}

function Question({ question, pending, onAnswer }: QuestionProps) {
  const { t } = useTranslation();
  const when = useBookingWhen();
  const { kind, title, guests, moved_to: movedTo, in_the_way: other } = question;
  const there = movedTo ?? other;
  return (
    <li className={styles.row}>
      <span className={styles.who}>
        <TwoLines
          first={
            <Link
              to="."
              search={(before: Record<string, unknown>) => ({ ...before, booking: question.booking_id })}
              className={styles.link}
            >
              {t('meetings.details.with', { title, invitee: guests.join(', ') })}
            </Link>
          }
          second={t(`meetings.questions.kind.${kind}`, { other: other?.title ?? '' })}
        />
      </span>
      <span className={styles.when}>
        <TwoLines
          first={when.ofHost(question.start_time, question.end_time)}
          second={there === null ? null : `→ ${when.ofHost(there.start_time, there.end_time)}`}
        />
      </span>
      <span className={styles.actions}>
        {question.answers.map((one, place) => (
          <Button
            key={one}
            size="xs"
            variant={place === 0 ? 'filled' : 'default'}
            aria-disabled={pending}
            data-pending={pending || undefined}
            onClick={() => onAnswer(one)}
          >
            {t(`meetings.questions.answer.${one}`)}
          </Button>
        ))}
      </span>
    </li>
  );
}
