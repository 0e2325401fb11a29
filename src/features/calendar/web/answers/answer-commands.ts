import { useTranslation } from 'react-i18next';
import { useShortcuts } from '#ui/shortcuts.ts';
import { useEditCalls } from '../editor/edit-calls.ts';
import { answerKeys, answerWords } from './answer-choices.tsx';
import { useAnswering } from './use-answering.ts';

/** The answers to the invitation that has the focus, for the palette. Their keys are heard by the event's card. */
export function useAnswerCommands(): void {
  const { t } = useTranslation();
  const calls = useEditCalls();
  const send = useAnswering();
  const group = t('editor.keys.group');
  useShortcuts(
    answerWords.map((answer) => ({
      keys: answerKeys[answer],
      group,
      label: t('editor.keys.answer', { answer: t(`editor.response.${answer}`) }),
      command: () => {
        const eventId = document.activeElement?.closest<HTMLElement>('[data-event]')?.dataset.event;
        const row = eventId === undefined ? undefined : calls.rowsOf(eventId)?.target;
        if (eventId === undefined || row?.answer === undefined) return null;
        return {
          detail: row.title,
          run: () => void send({ eventId, answer, scope: 'this', note: null }),
        };
      },
    })),
  );
}
