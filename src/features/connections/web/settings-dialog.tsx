import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { defaultMirrorRule } from '#features/sync/rules/mirror-rule.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { LinkButton } from './link-button.ts';
import { type SyncSettings, useChangeSettings, useSettings } from './queries.ts';
import styles from './settings-dialog.module.css';

/** Mirror window, poll interval and freshness: what holds for all accounts. */
export function SettingsDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const settings = useSettings();
  return (
    <Dialog opened={opened} onClose={onClose} title={t('connections.settings.title')}>
      {settings.data ? (
        <SettingsForm settings={settings.data.settings} onDone={onClose} />
      ) : settings.error ? (
        <ErrorState
          title={t('connections.settings.loadFailed')}
          error={settings.error}
          onRetry={() => void settings.refetch()}
        />
      ) : (
        <SkeletonRows rows={4} label={t('connections.settings.loading')} />
      )}
    </Dialog>
  );
}

const POLLS = [60, 300, 900, 3_600] as const;
const STALE_MINUTES = [10, 30, 60, 240, 1_440] as const;
const RANGES = { pastDays: [0, 365], futureDays: [1, 730] } as const;

type DayField = keyof typeof RANGES;

/** Days as typed; null for none, which is the product's own number; undefined for what cannot be meant. */
function readDays(text: string, field: DayField): number | null | undefined {
  if (text.trim() === '') return null;
  const days = Number(text);
  const [least, most] = RANGES[field];
  return Number.isInteger(days) && days >= least && days <= most ? days : undefined;
}

function SettingsForm({ settings, onDone }: { settings: SyncSettings; onDone: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeSettings();
  const [days, setDays] = useState<Record<DayField, string>>({
    pastDays: settings.pastDays === null ? '' : String(settings.pastDays),
    futureDays: settings.futureDays === null ? '' : String(settings.futureDays),
  });
  const [draft, setDraft] = useState(settings);
  const pastDays = readDays(days.pastDays, 'pastDays');
  const futureDays = readDays(days.futureDays, 'futureDays');
  const dayField = (field: DayField, read: number | null | undefined) => (
    <TextField
      label={t(`connections.settings.${field}`)}
      inputMode="numeric"
      placeholder={String(defaultMirrorRule[field])}
      value={days[field]}
      error={
        read === undefined ? t('connections.settings.days', { least: RANGES[field][0], most: RANGES[field][1] }) : null
      }
      onChange={(event) => setDays({ ...days, [field]: event.currentTarget.value })}
    />
  );
  return (
    <form
      className={styles.form}
      noValidate
      onInput={forgetRefusal(change)}
      onSubmit={(event) => {
        event.preventDefault();
        if (pastDays === undefined || futureDays === undefined) return;
        change.mutate(
          { ...draft, pastDays, futureDays },
          {
            onSuccess: () => {
              showToast({ subject: 'sync settings', state: 'ok', message: t('connections.settings.saved') });
              onDone();
            },
          },
        );
      }}
    >
      {change.error ? (
        <Banner state="bad" role="alert" title={t('connections.settings.failed')}>
          {errorText(change.error)}
        </Banner>
      ) : null}
      <fieldset className={styles.part}>
        <legend>{t('connections.settings.window')}</legend>
        <p className={styles.text}>{t('connections.settings.windowText')}</p>
        <div className={styles.pair}>
          {dayField('pastDays', pastDays)}
          {dayField('futureDays', futureDays)}
        </div>
        <div>
          <LinkButton to="/integrations/mirrors" variant="subtle" size="xs">
            {t('connections.settings.groups')}
          </LinkButton>
        </div>
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('connections.settings.poll')}</legend>
        <SelectField
          label={t('connections.settings.pollLabel')}
          description={t('connections.settings.pollText')}
          value={String(draft.pollSeconds ?? '')}
          onChange={(event) =>
            setDraft({
              ...draft,
              pollSeconds: event.currentTarget.value === '' ? null : Number(event.currentTarget.value),
            })
          }
          data={[
            { value: '', label: t('connections.settings.pollDefault') },
            ...POLLS.map((seconds) => ({
              value: String(seconds),
              label: t('connections.settings.minutes', { count: seconds / 60 }),
            })),
          ]}
        />
      </fieldset>
      <fieldset className={styles.part}>
        <legend>{t('connections.settings.freshness')}</legend>
        <p className={styles.text}>{t('connections.settings.freshnessText')}</p>
        <div className={styles.pair}>
          <SelectField
            label={t('connections.settings.staleAfter')}
            value={String(draft.staleAfterMinutes)}
            onChange={(event) => setDraft({ ...draft, staleAfterMinutes: Number(event.currentTarget.value) })}
            data={[...new Set([...STALE_MINUTES, draft.staleAfterMinutes])]
              .toSorted((a, b) => a - b)
              .map((count) => ({ value: String(count), label: t('connections.settings.minutes', { count }) }))}
          />
          <SelectField
            label={t('connections.settings.onStale')}
            value={draft.onStale}
            onChange={(event) => setDraft({ ...draft, onStale: event.currentTarget.value as SyncSettings['onStale'] })}
            data={(['warn', 'block', 'ignore'] as const).map((value) => ({
              value,
              label: t(`connections.settings.stale.${value}`),
            }))}
          />
        </div>
      </fieldset>
      <div className={styles.actions}>
        <Button variant="default" onClick={onDone}>
          {t('connections.chooser.cancel')}
        </Button>
        <ActionButton pending={change.isPending} pendingLabel={t('connections.settings.pending')}>
          {t('connections.settings.save')}
        </ActionButton>
      </div>
    </form>
  );
}

export { WarningsDialog } from './warnings-dialog.tsx';
