import { IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { StateBadge, Tag } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './channels-page.module.css';
import { type Credential, useDisconnect, useTest } from './queries.ts';

/** One account: whether its service takes it, what sends through it, and how to try it or take it away. */
export function CredentialRow({ credential }: { credential: Credential }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const test = useTest();
  const [asking, setAsking] = useState(false);
  const { label, kind, detail, refused, month, used_by: uses, inbound_url: inbound } = credential;
  const hidden = <span className="hf-sr-only"> {label}</span>;
  const tryIt = () =>
    test.mutate(credential.id, {
      onSuccess: () =>
        showToast({ subject: `try ${credential.id}`, state: 'ok', message: t('channels.works', { label }) }),
      onError: (error) => showToast({ subject: `try ${credential.id}`, state: 'bad', message: errorText(error) }),
    });
  const facts = [
    t(`channels.kind.${kind}`),
    detail === label ? '' : detail,
    month === null ? '' : t('channels.month', { used: month.used, cap: month.cap }),
    uses.length === 0 ? t('channels.unused') : t('channels.usedBy', { names: uses.map(({ name }) => name).join(', ') }),
  ].filter(Boolean);
  return (
    <li className={styles.row}>
      <div className={styles.line}>
        <div className={styles.texts}>
          <span className={styles.name}>
            {label}
            {credential.simulated_page ? <Tag>{t('channels.simulated')}</Tag> : null}
            {refused === null ? (
              <StateBadge state="ok">{t('channels.state.works')}</StateBadge>
            ) : (
              <StateBadge state="bad">{t('channels.state.refused')}</StateBadge>
            )}
          </span>
          <span className={styles.facts}>{facts.join(' · ')}</span>
          {credential.simulated_page ? (
            <span className={styles.facts}>
              <a href={credential.simulated_page} target="_blank" rel="noreferrer">
                {t('channels.openSimulated')}
                {hidden} <IconExternalLink size={13} aria-hidden />
              </a>
            </span>
          ) : null}
        </div>
        <div className={styles.buttons}>
          <ActionButton
            type="button"
            variant="default"
            size="xs"
            pending={test.isPending}
            pendingLabel={t('channels.testing')}
            onClick={tryIt}
          >
            {t('channels.test')}
            {hidden}
          </ActionButton>
          <Button variant="subtle" color="gray" size="xs" onClick={() => setAsking(true)}>
            {t('channels.disconnect')}
            {hidden}
          </Button>
        </div>
      </div>
      {refused === null ? null : (
        <Banner state="bad" title={t('channels.state.refused')}>
          {refused}
        </Banner>
      )}
      {inbound === null ? null : (
        <details className={styles.inbound}>
          <summary>{t('channels.inbound.title')}</summary>
          <p className={styles.hint}>{t(kind === 'twilio' ? 'channels.inbound.twilio' : 'channels.inbound.own')}</p>
          <div className={styles.address}>
            <code>{inbound}</code>
            <CopyButton text={inbound} size="xs" />
          </div>
        </details>
      )}
      <DisconnectDialog credential={credential} opened={asking} onClose={() => setAsking(false)} />
    </li>
  );
}

/** Says what stops before it does. */
function DisconnectDialog({
  credential,
  opened,
  onClose,
}: {
  credential: Credential;
  opened: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const disconnect = useDisconnect();
  const names = credential.used_by.map(({ name }) => name).join(', ');
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('channels.disconnectDialog.question', { label: credential.label })}
      confirmLabel={t('channels.disconnect')}
      pendingLabel={t('channels.disconnectDialog.pending')}
      pending={disconnect.isPending}
      destructive
      onConfirm={() => disconnect.mutate(credential.id, { onSuccess: onClose })}
    >
      <p>{names === '' ? t('channels.disconnectDialog.text') : t('channels.disconnectDialog.textUsed', { names })}</p>
      {disconnect.error ? (
        <Banner state="bad" role="alert" title={t('channels.disconnectDialog.failed')}>
          {errorText(disconnect.error)}
        </Banner>
      ) : null}
    </ConfirmDialog>
  );
}
