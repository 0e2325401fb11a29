import { type ReactNode, useCallback, useState } from 'react';
import { type Answer, AskDialog, isQuestion, type Question } from './ask-dialog.tsx';

interface Asked {
  question: Question;
  answer: (answer: Answer | null) => void;
}

/**
 * Asks in the midst of what is being done: `const answer = await ask(question)`, null where the person thought better
 * of it. Where there is nothing to ask, the answer is there at once.
 */
export function useAsking(): { ask: (question: Question) => Promise<Answer | null>; dialog: ReactNode } {
  const [asked, setAsked] = useState<Asked | null>(null);
  const ask = useCallback((question: Question) => {
    if (!isQuestion(question)) {
      return Promise.resolve<Answer>({ scope: question.scopes[0] ?? 'all', tellGuests: false });
    }
    const { promise, resolve } = Promise.withResolvers<Answer | null>();
    setAsked({ question, answer: resolve });
    return promise;
  }, []);
  const end = (answer: Answer | null) => {
    asked?.answer(answer);
    setAsked(null);
  };
  const dialog =
    asked === null ? null : (
      <AskDialog question={asked.question} onAnswer={(answer) => end(answer)} onClose={() => end(null)} />
    );
  return { ask, dialog };
}
