import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type KeyDays, keyDays, usualKeyDays } from '#features/accounts/rules/api-key.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { type Column, DataTable, TwoLines } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { SectionState } from '../section-state.tsx';
import styles from './settings-panels.module.css';
import { type ApiKey, useCreateKey, useKeys, useRevokeKey } from './settings-queries.ts';

type Scope = ApiKey['scopes'][number];

/** API keys, with which programs call as the key's creator. */
export function KeysPanel() {
  const { t } = useTranslation();
  const query = useKeys();
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<ApiKey | null>(null);
  const revoke = useRevokeKey();
  return (
    <SectionState query={query} failed={t('adminSettings.keys.loadFailed')}>
      {({ keys }) => (
        <Panel
          title={t('adminSettings.keys.title')}
          text={t('adminSettings.keys.text')}
          actions={<Button onClick={() => setMaking(true)}>{t('adminSettings.keys.make')}</Button>}
          flush
        >
          {keys.length === 0 ? (
            <EmptyState art="building" title={t('adminSettings.keys.none')} text={t('adminSettings.keys.noneText')} />
          ) : (
            <KeysTable keys={keys} onRevoke={setLeaving} />
          )}
          {isMaking ? <MakeKeyDialog onClose={() => setMaking(false)} /> : null}
          {leaving === null ? null : (
            <ReasonDialog
              opened
              destructive
              title={t('adminSettings.keys.question')}
              confirmLabel={t('adminSettings.keys.revoke')}
              pending={revoke.isPending}
              error={revoke.error}
              onClose={() => {
                revoke.reset();
                setLeaving(null);
              }}
              onConfirm={(reason) =>
                revoke.mutate(
                  { keyId: leaving.id, reason },
                  {
                    onSuccess: () => {
                      setLeaving(null);
                      const message = t('adminSettings.keys.revoked', { name: leaving.name });
                      showToast({ subject: 'api key', state: 'ok', message });
                    },
                  },
                )
              }
            >
              <p>{t('adminSettings.keys.questionText', { name: leaving.name })}</p>
            </ReasonDialog>
          )}
        </Panel>
      )}
    </SectionState>
  );
}

function useScopeWords(): Record<Scope, string> {
  const { t } = useTranslation();
  return {
    read: t('adminSettings.scope.read'),
    write: t('adminSettings.scope.write'),
    'admin:read': t('adminSettings.scope.adminRead'),
    'admin:write': t('adminSettings.scope.adminWrite'),
  };
}

function KeysTable({ keys, onRevoke }: { keys: readonly ApiKey[]; onRevoke: (key: ApiKey) => void }) {
  const { t } = useTranslation();
  const columns: Column<ApiKey>[] = [
    {
      key: 'name',
      header: t('adminSettings.keys.column.name'),
      phone: 'title',
      cell: ({ name, email }) => <TwoLines first={name} second={email} />,
    },
    {
      key: 'key',
      header: t('adminSettings.keys.column.key'),
      phone: 'aside',
      fit: true,
      cell: ({ masked }) => <code>{masked}</code>,
    },
    {
      key: 'scopes',
      header: t('adminSettings.keys.column.scopes'),
      phone: 'line',
      cell: ({ scopes }) => scopes.join(', '),
    },
    {
      key: 'created',
      header: t('adminSettings.keys.column.created'),
      phone: 'start',
      fit: true,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      key: 'ends',
      header: t('adminSettings.keys.column.ends'),
      phone: 'line',
      fit: true,
      cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
    },
    {
      key: 'used',
      header: t('adminSettings.keys.used'),
      phone: 'end',
      fit: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? t('adminSettings.keys.never') : <RelativeTime at={lastUsedAt} />,
    },
    {
      key: 'act',
      header: <span className="hf-sr-only">{t('adminSettings.keys.revoke')}</span>,
      phone: 'actions',
      fit: true,
      cell: (key) => (
        <Button
          variant="subtle"
          color="bad"
          size="xs"
          aria-label={t('adminSettings.keys.revokeOf', { name: key.name })}
          onClick={() => onRevoke(key)}
        >
          {t('adminSettings.keys.revoke')}
        </Button>
      ),
    },
  ];
  return <DataTable caption={t('adminSettings.keys.title')} columns={columns} rows={keys} keyOf={({ id }) => id} />;
}

/** Without a name nothing is made. */
function MakeKeyDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const words = useScopeWords();
  const create = useCreateKey();
  const [name, setName] = useState('');
  const [days, setDays] = useState<KeyDays>(usualKeyDays);
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['read']);
  if (create.data !== undefined) {
    return (
      <Dialog
        opened
        onClose={onClose}
        title={t('adminSettings.keys.made')}
        actions={<Button onClick={onClose}>{t('adminSettings.keys.done')}</Button>}
      >
        <div className={styles.form}>
          <Banner state="info">{t('adminSettings.keys.madeText')}</Banner>
          <code className={styles.key}>{create.data.key}</code>
          <CopyButton text={create.data.key} />
        </div>
      </Dialog>
    );
  }
  const isReady = name.trim() !== '' && chosen.length > 0 && reason.trim().length >= 3;
  return (
    <Dialog opened onClose={onClose} title={t('adminSettings.keys.make')}>
      <form
        onInput={forgetRefusal(create)}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isReady || create.isPending) return;
          create.mutate({ name: name.trim(), scopes: [...chosen], days, reason: reason.trim() });
        }}
      >
        {create.error ? (
          <Banner state="bad" role="alert">
            {errorText(create.error)}
          </Banner>
        ) : null}
        <TextField
          label={t('adminSettings.keys.name')}
          description={t('adminSettings.keys.nameText')}
          maxLength={60}
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <fieldset className={styles.choices}>
          <legend>{t('adminSettings.keys.scopes')}</legend>
          {(Object.keys(words) as Scope[]).map((scope) => (
            <Checkbox
              key={scope}
              label={words[scope]}
              checked={chosen.includes(scope)}
              onChange={(event) =>
                setChosen(event.currentTarget.checked ? [...chosen, scope] : chosen.filter((one) => one !== scope))
              }
            />
          ))}
        </fieldset>
        <SelectField
          label={t('adminSettings.keys.days')}
          value={String(days)}
          data={keyDays.map((count) => ({ value: String(count), label: t('adminSettings.keys.dayCount', { count }) }))}
          onChange={(event) => setDays(Number(event.currentTarget.value) as KeyDays)}
        />
        <TextField
          label={t('adminSettings.keys.reason')}
          description={t('adminSettings.keys.reasonText')}
          maxLength={500}
          required
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <ActionButton disabled={!isReady} pending={create.isPending} pendingLabel={t('adminSettings.keys.pending')}>
            {t('adminSettings.keys.make')}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
