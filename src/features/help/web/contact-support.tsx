import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { longestMessage } from '../contract.ts';
import styles from './help-page.module.css';
import { useAskSupport, useFirstSteps, useSupport } from './queries.ts';

/** A form to the operator of the install. All data that is sent along is visible on the screen. */
export function ContactSupport() {
  const { t } = useTranslation();
  const support = useSupport();
  const steps = useFirstSteps();
  const ask = useAskSupport();
  const errorText = useErrorText();
  const [message, setMessage] = useState('');
  const [sends, setSends] = useState(true);
  if (support.data === undefined) {
    return support.error ? (
      <ErrorState title={t('help.support.failed')} error={support.error} onRetry={() => void support.refetch()} />
    ) : (
      <SkeletonRows rows={3} label={t('help.loading')} />
    );
  }
  const { operator, contact } = support.data;
  if (contact === null) return <Banner state="info">{t('help.support.nobody')}</Banner>;
  const diagnostics = [
    `${t('help.support.browser')}: ${navigator.userAgent}`,
    `${t('help.support.window')}: ${window.innerWidth} × ${window.innerHeight}`,
    `${t('help.support.zone')}: ${Intl.DateTimeFormat().resolvedOptions().timeZone}`,
    `${t('help.support.language')}: ${navigator.language}`,
    ...(steps.data === undefined
      ? []
      : [
          `${t('help.support.steps')}: ${steps.data.connected ? '✓' : '–'} ${steps.data.hours ? '✓' : '–'} ${steps.data.link ? '✓' : '–'}`,
        ]),
  ].join('\n');
  return (
    <form
      onInput={forgetRefusal(ask)}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        ask.mutate({ message, ...(sends ? { diagnostics } : {}) }, { onSuccess: () => setMessage('') });
      }}
    >
      <TextArea
        label={t('help.support.message')}
        description={t('help.support.to', { name: operator ?? contact })}
        required
        rows={5}
        maxLength={longestMessage}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
      <Switch
        label={t('help.support.along')}
        checked={sends}
        onChange={(event) => setSends(event.currentTarget.checked)}
      />
      {sends ? <pre className={styles.sent}>{diagnostics}</pre> : null}
      {ask.isSuccess ? (
        <Banner state="ok" role="status">
          {t('help.support.sent')}
        </Banner>
      ) : null}
      {ask.error ? (
        <Banner state="bad" role="alert" title={t('help.support.notSent')}>
          {errorText(ask.error)}
        </Banner>
      ) : null}
      <Button type="submit" disabled={ask.isPending || message.trim() === ''}>
        {ask.isPending ? t('help.support.sending') : t('help.support.send')}
      </Button>
    </form>
  );
}
