import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { providerName } from '#ui/provider-mark.tsx';
import styles from './ask-dialog.module.css';
import type { EditScope } from './edit-shapes.ts';
import { guestMailsOf } from './guest-facts.ts';

export interface Question {
  kind: 'create' | 'change' | 'delete';
  title: string;
  /** Which of a series; empty where there is nothing to choose. */
  scopes: readonly EditScope[];
  guests: number;
  provider: string;
}

export interface Answer {
  scope: EditScope;
  tellGuests: boolean;
}

/** Whether there is anything to ask before an edit goes out. */
export function isQuestion({ scopes, guests, provider }: Question): boolean {
  return scopes.length > 1 || (guests > 0 && guestMailsOf(provider) !== 'never');
}

/** Asked once before an edit of a series, or of an event with guests. */
export function AskDialog({
  question,
  onAnswer,
  onClose,
}: {
  question: Question;
  onAnswer: (answer: Answer) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const { kind, scopes, guests, provider, title } = question;
  const [scope, setScope] = useState<EditScope>(scopes[0] ?? 'all');
  const mails = guests > 0 ? guestMailsOf(provider) : 'never';
  const answer = (tellGuests: boolean) => onAnswer({ scope, tellGuests });
  const asksGuests = mails === 'asked';
  const verb =
    kind === 'delete' ? t('editor.ask.delete') : kind === 'create' ? t('editor.ask.create') : t('editor.ask.save');
  return (
    <Dialog
      opened
      onClose={onClose}
      title={scopes.length > 1 ? t(`editor.ask.series.${kind}`) : t(`editor.ask.guests.${kind}`)}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('editor.ask.back')}
          </Button>
          {asksGuests ? (
            <Button variant="default" onClick={() => answer(false)}>
              {t('editor.ask.silent')}
            </Button>
          ) : null}
          <Button
            color={kind === 'delete' ? 'bad' : 'brand'}
            onClick={() => answer(mails !== 'never')}
            {...(scopes.length > 1 ? {} : { 'data-autofocus': true })}
          >
            {asksGuests ? t('editor.ask.tell') : verb}
          </Button>
        </>
      }
    >
      <p className={styles.title}>{title === '' ? t('calendar.untitled') : title}</p>
      {scopes.length > 1 ? <ScopeChoice scopes={scopes} scope={scope} onScope={setScope} /> : null}
      {asksGuests ? <p className={styles.note}>{t('editor.ask.mailed', { count: guests })}</p> : null}
      {mails === 'always' ? (
        <p className={styles.note}>{t('editor.ask.always', { provider: providerName(provider), count: guests })}</p>
      ) : null}
    </Dialog>
  );
}

function ScopeChoice({
  scopes,
  scope,
  onScope,
}: {
  scopes: readonly EditScope[];
  scope: EditScope;
  onScope: (scope: EditScope) => void;
}) {
  const { t } = useTranslation();
  const name = useId();
  return (
    <fieldset className={styles.scopes}>
      <legend className="hf-sr-only">{t('editor.ask.which')}</legend>
      {scopes.map((one) => (
        <label key={one} className={styles.scope}>
          <input
            type="radio"
            name={name}
            checked={one === scope}
            onChange={() => onScope(one)}
            {...(one === scope ? { 'data-autofocus': true } : {})}
          />
          {t(`editor.scope.${one}`)}
        </label>
      ))}
    </fieldset>
  );
}
