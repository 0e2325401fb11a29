import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Switch } from '#ui/switch.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { SectionState } from '../section-state.tsx';
import styles from './settings-panels.module.css';
import { type Flag, useChangeFlag, useFlags } from './settings-queries.ts';

/** Feature flags with the number of users who have each. */
export function FlagsPanel() {
  const { t } = useTranslation();
  const query = useFlags();
  return (
    <SectionState query={query} failed={t('adminSettings.flags.loadFailed')}>
      {({ flags }) => (
        <Panel title={t('adminSettings.flags.title')} text={t('adminSettings.flags.text')}>
          {flags.map((flag) => (
            <FlagRow key={`${flag.name} ${flag.enabled} ${flag.rollout}`} flag={flag} />
          ))}
        </Panel>
      )}
    </SectionState>
  );
}

function FlagRow({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const change = useChangeFlag();
  const [enabled, setEnabled] = useState(flag.enabled);
  const [typed, setTyped] = useState(String(flag.rollout));
  const [isAsking, setAsking] = useState(false);
  const names: Record<Flag['name'], string> = {
    'published-feeds': t('adminSettings.flag.publishedFeeds'),
    'weekly-digest': t('adminSettings.flag.weeklyDigest'),
  };
  const name = names[flag.name];
  const rollout = /^\d{1,3}$/.test(typed) && Number(typed) <= 100 ? Number(typed) : null;
  const isChanged = enabled !== flag.enabled || rollout !== flag.rollout;
  return (
    <div className={styles.flag}>
      <Switch label={name} checked={enabled} onChange={(event) => setEnabled(event.currentTarget.checked)} />
      <TextField
        className={styles.number}
        label={t('adminSettings.flags.rollout')}
        aria-label={t('adminSettings.flags.rolloutOf', { name })}
        inputMode="numeric"
        error={rollout === null}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        variant="default"
        aria-label={t('adminSettings.flags.changeOf', { name })}
        disabled={!isChanged || rollout === null}
        onClick={() => setAsking(true)}
      >
        {t('adminSettings.flags.change')}
      </Button>
      {isAsking && rollout !== null ? (
        <ReasonDialog
          opened
          title={t('adminSettings.flags.question', { name })}
          confirmLabel={t('adminSettings.flags.change')}
          pending={change.isPending}
          error={change.error}
          onClose={() => setAsking(false)}
          onConfirm={(reason) =>
            change.mutate(
              { name: flag.name, enabled, rollout, reason },
              {
                onSuccess: () => {
                  setAsking(false);
                  showToast({ subject: flag.name, state: 'ok', message: t('adminSettings.flags.changed', { name }) });
                },
              },
            )
          }
        >
          <p>{enabled ? t('adminSettings.flags.questionText', { rollout }) : t('adminSettings.flags.offText')}</p>
        </ReasonDialog>
      ) : null}
    </div>
  );
}
