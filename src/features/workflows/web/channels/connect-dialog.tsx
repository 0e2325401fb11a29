import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CredentialKind } from '#features/workflows/rules/credential.ts';
import { Banner } from '#ui/banner.tsx';
import { Button } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from './channels-page.module.css';
import { ConnectForm } from './connect-form.tsx';
import { type SimulatedKind, useSimulate } from './queries.ts';

const groups = [
  { name: 'sms', kinds: ['twilio', 'sms-webhook'] },
  { name: 'slack', kinds: ['slack-webhook', 'slack-bot'] },
  { name: 'crm', kinds: ['hubspot', 'crm-webhook'] },
] as const;

/** Three steps: the kind of account, its settings, and the values that the person must note. */
export function ConnectDialog({
  opened,
  simulated,
  onClose,
}: {
  opened: boolean;
  simulated: readonly SimulatedKind[];
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<CredentialKind | null>(null);
  const [signing, setSigning] = useState<string | null>(null);
  const close = () => {
    setKind(null);
    setSigning(null);
    onClose();
  };
  const done = (label: string, secret: string | null) => {
    showToast({ subject: 'connect channel', state: 'ok', message: t('channels.connected', { label }) });
    if (secret === null) close();
    else setSigning(secret);
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={
        signing !== null
          ? t('channels.signing.title')
          : kind === null
            ? t('channels.chooser.title')
            : t(`channels.kind.${kind}`)
      }
      actions={
        signing !== null ? (
          <Button onClick={close}>{t('channels.signing.done')}</Button>
        ) : kind === null ? (
          <Button variant="default" onClick={close}>
            {t('channels.chooser.cancel')}
          </Button>
        ) : null
      }
    >
      {signing !== null ? (
        <div className={styles.form}>
          <p className={styles.hint}>{t('channels.signing.text')}</p>
          <div className={styles.address}>
            <code>{signing}</code>
            <CopyButton text={signing} size="xs" />
          </div>
        </div>
      ) : kind === null ? (
        <Choices simulated={simulated} onChoose={setKind} onSimulated={(label) => done(label, null)} />
      ) : (
        <ConnectForm kind={kind} onBack={() => setKind(null)} onConnected={done} />
      )}
    </Dialog>
  );
}

function Choices({
  simulated,
  onChoose,
  onSimulated,
}: {
  simulated: readonly SimulatedKind[];
  onChoose: (kind: CredentialKind) => void;
  onSimulated: (label: string) => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const simulate = useSimulate();
  return (
    <>
      {simulate.error ? (
        <Banner state="bad" role="alert" title={t('channels.form.failed')}>
          {errorText(simulate.error)}
        </Banner>
      ) : null}
      {groups.map(({ name, kinds }) => (
        <section key={name}>
          <h3 className={styles.group}>{t(`channels.group.${name}`)}</h3>
          <ul className={styles.choices}>
            {kinds.map((kind) => (
              <li key={kind}>
                <button type="button" className={styles.choice} onClick={() => onChoose(kind)}>
                  {t(`channels.kind.${kind}`)}
                  <span>{t(`channels.about.${kind}`)}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {simulated.length === 0 ? null : (
        <section>
          <h3 className={styles.group}>{t('channels.simulate.title')}</h3>
          <p className={styles.hint}>{t('channels.simulate.text')}</p>
          <div className={styles.address}>
            {simulated.map((kind) => (
              <Button
                key={kind}
                variant="default"
                disabled={simulate.isPending}
                onClick={() => simulate.mutate(kind, { onSuccess: ({ credential }) => onSimulated(credential.label) })}
              >
                {t('channels.simulate.one', { name: t(`channels.kind.${kind}`) })}
              </Button>
            ))}
          </div>
        </section>
      )}
    </>
  );
}
