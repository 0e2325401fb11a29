import { IconFingerprint, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { accessContract } from '#features/access/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { Tag } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { useNowMs } from '#ui/clock.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { formatDay } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { useRelativeTime } from '#ui/relative-time.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import styles from '../security-panels.module.css';
import { SecurityRow, SecurityRows } from '../security-row.tsx';
import { useDeviceName } from '../use-device-name.ts';
import { canUsePasskeys } from './authenticator.ts';
import { useAddPasskey, usePasskeys, useRemovePasskey, useRenamePasskey } from './passkey-queries.ts';

const PasskeyNameDialog = lazy(async () => ({
  default: (await import('./passkey-name-dialog.tsx')).PasskeyNameDialog,
}));

type Passkey = Output<typeof accessContract.listPasskeys>['passkeys'][number];

/** The passkeys of a person: what opens their account without a password. */
export function PasskeysPanel() {
  const { t } = useTranslation();
  const passkeys = usePasskeys();
  const add = useAddPasskey();
  const deviceName = useDeviceName();
  const [isAdding, setAdding] = useState(false);
  const list = passkeys.data?.passkeys;
  return (
    <Panel
      title={t('security.passkeys.title')}
      text={t('security.passkeys.text')}
      flush={list !== undefined && list.length > 0}
      actions={
        list && canUsePasskeys() ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => {
              add.reset();
              setAdding(true);
            }}
          >
            {t('security.passkeys.add')}
          </Button>
        ) : null
      }
    >
      {list === undefined ? (
        passkeys.error ? (
          <ErrorState
            title={t('security.passkeys.loadFailed')}
            error={passkeys.error}
            onRetry={() => void passkeys.refetch()}
          />
        ) : (
          <SkeletonRows rows={1} label={t('shell.loading')} />
        )
      ) : list.length > 0 ? (
        <SecurityRows>
          {list.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </SecurityRows>
      ) : canUsePasskeys() ? (
        <p className={styles.none}>{t('security.passkeys.none')}</p>
      ) : (
        <Banner state="info">{t('security.passkeys.unsupported')}</Banner>
      )}
      {isAdding ? (
        <Suspense>
          <PasskeyNameDialog
            title={t('security.passkeys.addTitle')}
            text={t('security.passkeys.addText')}
            action={t('security.passkeys.addAction')}
            pendingLabel={t('access.passkey.pending')}
            initial={deviceName()}
            mutation={add}
            onClose={() => setAdding(false)}
            onNamed={(name) =>
              showToast({ subject: 'passkey', state: 'ok', message: t('security.passkeys.added', { name }) })
            }
          />
        </Suspense>
      ) : null}
    </Panel>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const relative = useRelativeTime();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  const rename = useRenamePasskey();
  const [asked, setAsked] = useState<'rename' | 'remove' | null>(null);
  const close = () => setAsked(null);
  const { id, name, synced, createdAt, lastUsedAt } = passkey;
  const remove = useRemovePasskey(() => {
    close();
    showToast({ subject: 'passkey', state: 'ok', message: t('security.passkeys.removed', { name }) });
  });
  const day = formatDay(createdAt, preferences, currentMs);
  return (
    <>
      <SecurityRow
        icon={IconFingerprint}
        title={name}
        mark={synced ? <Tag>{t('security.passkeys.synced')}</Tag> : null}
        text={
          lastUsedAt === null
            ? t('security.passkeys.neverUsed', { day })
            : t('security.passkeys.used', { day, when: relative(lastUsedAt) })
        }
        actions={
          <>
            <IconButton label={t('security.passkeys.rename', { name })} onClick={() => setAsked('rename')}>
              <IconPencil size={17} stroke={1.6} aria-hidden />
            </IconButton>
            <IconButton label={t('security.passkeys.remove', { name })} onClick={() => setAsked('remove')}>
              <IconTrash size={17} stroke={1.6} aria-hidden />
            </IconButton>
          </>
        }
      />
      {asked === 'rename' ? (
        <Suspense>
          <PasskeyNameDialog
            title={t('security.passkeys.renameTitle')}
            action={t('security.passkeys.renameAction')}
            pendingLabel={t('security.saving')}
            initial={name}
            mutation={{ ...rename, mutate: (typed, options) => rename.mutate({ id, name: typed }, options) }}
            onClose={close}
          />
        </Suspense>
      ) : null}
      <ConfirmDialog
        opened={asked === 'remove'}
        title={t('security.passkeys.removeTitle', { name })}
        confirmLabel={t('security.passkeys.removeAction')}
        pendingLabel={t('security.passkeys.removing')}
        pending={remove.isPending}
        destructive
        onConfirm={() =>
          remove.mutate(id, {
            onError: (error) => {
              close();
              showToast({ subject: 'passkey', state: 'bad', message: errorText(error) });
            },
          })
        }
        onClose={close}
      >
        <p>{t('security.passkeys.removeText')}</p>
      </ConfirmDialog>
    </>
  );
}
