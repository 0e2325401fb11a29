import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { EventRow } from '../grid-event.ts';
import { AnswerChoices } from './answer-choices.tsx';
import { useAnswering } from './use-answering.ts';

/** Yes, Maybe or No within a list, without a card. Focus goes on to the next row. */
export function QuickAnswer({
  eventId,
  title,
  answer,
  scope = 'this',
}: {
  eventId: string;
  title: string;
  answer: EventRow['answer'];
  scope?: 'this' | 'all';
}): ReactNode {
  const { t } = useTranslation();
  const send = useAnswering();
  const group = useRef<HTMLFieldSetElement>(null);
  return (
    <fieldset ref={group} aria-label={`${t('editor.answer.going')} ${title}`}>
      <AnswerChoices
        answer={answer}
        onAnswer={(word) => {
          keepFocus(group.current);
          void send({ eventId, answer: word, scope, note: null });
        }}
      />
    </fieldset>
  );
}

/** The choices go once they are answered: focus moves to the event of the row, else to a neighbor. */
function keepFocus(group: HTMLElement | null): void {
  const row = group?.closest('li');
  const next =
    row?.querySelector<HTMLElement>('[data-event]') ??
    (row?.nextElementSibling ?? row?.previousElementSibling)?.querySelector<HTMLElement>('a, button') ??
    row?.closest<HTMLElement>('section, [role=dialog]')?.querySelector<HTMLElement>('h2, h3');
  next?.focus();
}
