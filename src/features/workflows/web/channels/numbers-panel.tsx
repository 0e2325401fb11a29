import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge } from '#ui/badge.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './channels-page.module.css';
import { type PhoneNumber, useKeepNumber, useNumbers } from './queries.ts';

/** Numbers that agreed to text messages, with the source of each agreement. */
export function NumbersPanel() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const numbers = useNumbers();
  const keep = useKeepNumber();
  const [phone, setPhone] = useState('');
  const [agreed, setAgreed] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    keep.mutate(
      { phone, given: true },
      {
        onSuccess: () => {
          setPhone('');
          setAgreed(false);
        },
      },
    );
  };
  return (
    <Panel title={t('channels.numbers.title')} text={t('channels.numbers.text')}>
      <div className={styles.form}>
        <form onInput={forgetRefusal(keep)} className={styles.form} onSubmit={submit} noValidate>
          <div className={styles.add}>
            <TextField
              label={t('channels.numbers.phone')}
              type="tel"
              autoComplete="off"
              placeholder="+4915112345678"
              maxLength={40}
              value={phone}
              error={keep.error ? errorText(keep.error) : null}
              onChange={(event) => setPhone(event.currentTarget.value)}
            />
            <ActionButton
              variant="default"
              disabled={!agreed || phone.trim() === ''}
              pending={keep.isPending}
              pendingLabel={t('channels.numbers.pending')}
            >
              {t('channels.numbers.add')}
            </ActionButton>
          </div>
          <Checkbox
            label={t('channels.numbers.agreed')}
            checked={agreed}
            onChange={(event) => setAgreed(event.currentTarget.checked)}
          />
        </form>
        {numbers.error && !numbers.data ? (
          <ErrorState
            title={t('channels.numbers.loadFailed')}
            error={numbers.error}
            onRetry={() => void numbers.refetch()}
          />
        ) : null}
        {numbers.data && numbers.data.numbers.length > 0 ? (
          <ul className={styles.list} aria-label={t('channels.numbers.title')}>
            {numbers.data.numbers.map((number) => (
              <NumberRow key={number.phone} number={number} />
            ))}
          </ul>
        ) : null}
      </div>
    </Panel>
  );
}

function NumberRow({ number: { phone, given, source, at } }: { number: PhoneNumber }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const keep = useKeepNumber();
  const change = (wanted: boolean) =>
    keep.mutate(
      { phone, given: wanted },
      {
        onSuccess: () =>
          showToast({
            subject: `number ${phone}`,
            state: 'ok',
            message: t(wanted ? 'channels.numbers.resumed' : 'channels.numbers.stopped', { phone }),
            ...(wanted ? {} : { action: { label: t('channels.numbers.undo'), run: () => change(true) } }),
          }),
        onError: (error) => showToast({ subject: `number ${phone}`, state: 'bad', message: errorText(error) }),
      },
    );
  return (
    <li className={styles.line}>
      <span className={styles.texts}>
        <span className={styles.name}>
          {phone}
          {given ? (
            <StateBadge state="ok">{t('channels.numbers.given')}</StateBadge>
          ) : (
            <StateBadge state="idle">{t('channels.numbers.withdrawn')}</StateBadge>
          )}
        </span>
        <span className={styles.facts}>
          {t(`channels.source.${source}`)} · <RelativeTime at={at} />
        </span>
      </span>
      {given ? (
        <Button variant="subtle" color="gray" size="xs" disabled={keep.isPending} onClick={() => change(false)}>
          {t('channels.numbers.stop')}
          <span className="hf-sr-only"> {phone}</span>
        </Button>
      ) : null}
    </li>
  );
}
