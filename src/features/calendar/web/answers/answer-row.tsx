import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TextArea } from '#ui/text-area.tsx';
import type { AnswerWord } from '../editor/edit-shapes.ts';
import type { GridEvent } from '../grid-event.ts';
import { AnswerChoices, answerKeys, answerWords } from './answer-choices.tsx';
import styles from './answer-row.module.css';
import { useAnswering } from './use-answering.ts';

const mostNoteChars = 1_000;

/** Yes, Maybe or No to an invitation, by press or by key while its card is open. */
export function AnswerRow({ event }: { event: GridEvent }): ReactNode {
  const { t } = useTranslation();
  const answer = useAnswering();
  const row = useRef<HTMLFieldSetElement>(null);
  const [isForAll, setIsForAll] = useState(false);
  const [note, setNote] = useState<string>();
  const say = (word: AnswerWord) => {
    // The toast with the way back would stand behind the card.
    row.current?.closest('dialog')?.close();
    void answer({ eventId: event.id, answer: word, scope: isForAll ? 'all' : 'this', note: note?.trim() || null });
  };
  const onKey = useEffectEvent((press: KeyboardEvent) => {
    const isTyping =
      press.target instanceof HTMLElement && press.target.matches('textarea, input:not([type=checkbox])');
    const word = answerWords.find((one) => answerKeys[one] === press.key);
    if (word === undefined || isTyping || press.ctrlKey || press.metaKey || press.altKey || press.isComposing) return;
    press.preventDefault();
    say(word);
  });
  useEffect(() => {
    const card = row.current?.closest('dialog');
    const listener = (press: KeyboardEvent) => onKey(press);
    card?.addEventListener('keydown', listener);
    return () => card?.removeEventListener('keydown', listener);
  }, []);
  return (
    <fieldset ref={row} className={styles.row}>
      <legend className={styles.question}>{t('editor.answer.going')}</legend>
      <AnswerChoices answer={event.answer} hasKeys onAnswer={say} />
      {event.isRecurring ? (
        <label className={styles.all}>
          <input type="checkbox" checked={isForAll} onChange={(change) => setIsForAll(change.target.checked)} />
          {t('editor.answer.all')}
        </label>
      ) : null}
      {event.provider === 'caldav' ? <p className={styles.hint}>{t('editor.answer.mail')}</p> : null}
      {note === undefined ? (
        <button type="button" className={styles.addNote} onClick={() => setNote('')}>
          {t('editor.answer.addNote')}
        </button>
      ) : (
        <TextArea
          label={t('editor.answer.note')}
          value={note}
          maxLength={mostNoteChars}
          autosize
          minRows={2}
          maxRows={5}
          onChange={(change) => setNote(change.target.value)}
        />
      )}
    </fieldset>
  );
}
