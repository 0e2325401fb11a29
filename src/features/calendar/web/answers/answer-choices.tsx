import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import type { AnswerWord } from '../editor/edit-shapes.ts';
import styles from './answer-row.module.css';

export const answerKeys: Record<AnswerWord, string> = { accepted: 'y', tentative: 'm', declined: 'n' };
export const answerWords = Object.keys(answerKeys) as AnswerWord[];

/** Yes, Maybe and No; the answer that stands is pressed. */
export function AnswerChoices({
  answer,
  hasKeys = false,
  onAnswer,
}: {
  answer: AnswerWord | 'needs-action' | undefined;
  /** The keys are heard by what is around. */
  hasKeys?: boolean;
  onAnswer: (word: AnswerWord) => void;
}): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={styles.choices}>
      {answerWords.map((word) => (
        <Button
          key={word}
          size="xs"
          variant={answer === word ? 'filled' : 'default'}
          aria-pressed={answer === word}
          {...(hasKeys ? { 'aria-keyshortcuts': answerKeys[word] } : {})}
          onClick={() => onAnswer(word)}
        >
          {t(`editor.response.${word}`)}
        </Button>
      ))}
    </div>
  );
}
