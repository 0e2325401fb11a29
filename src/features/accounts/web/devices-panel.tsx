import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { inboxContract } from '#features/inbox/contract.ts';
import type { Output } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { Tag } from '#ui/badge.tsx';
import { Banner } from '#ui/banner.tsx';
import { ActionButton } from '#ui/button.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import styles from './leaving-panel.module.css';
import { agree, disagree, readWillingness } from './push-device.ts';

const api = createClient(inboxContract);
const devicesKey = ['inbox', 'devices'];
const willingnessKey = ['inbox', 'willingness'];

type Device = Output<typeof inboxContract.listDevices>['devices'][number];

/** Asked whenever its person comes back: they may have been in the settings of their browser. */
const useWillingness = () => useQuery({ queryKey: willingnessKey, queryFn: readWillingness, staleTime: 0 });

/** Notices on this device while no window is open, and the devices that have them. */
export function DevicesPanel() {
  const { t } = useTranslation();
  const found = useQuery({ queryKey: devicesKey, queryFn: ({ signal }) => api.listDevices({}, { signal }) });
  const willingness = useWillingness();
  return (
    <Panel title={t('accounts.devices.title')} text={t('accounts.devices.text')}>
      <div className={styles.form}>
        {found.data && willingness.data ? (
          <>
            <ThisDevice
              publicKey={found.data.public_key}
              willingness={willingness.data}
              current={found.data.devices.find(({ current }) => current)}
            />
            {found.data.devices.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </>
        ) : found.error ? (
          <ErrorState
            title={t('accounts.devices.loadFailed')}
            error={found.error}
            onRetry={() => void found.refetch()}
          />
        ) : (
          <SkeletonRows rows={1} label={t('shell.loading')} />
        )}
      </div>
    </Panel>
  );
}

function ThisDevice({
  publicKey,
  willingness,
  current,
}: {
  publicKey: string;
  willingness: NonNullable<ReturnType<typeof useWillingness>['data']>;
  current: Device | undefined;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: async (wish: 'on' | 'off') => {
      if (wish === 'off') {
        if (current !== undefined) await api.removeDevice({ params: { deviceId: current.id } });
        await disagree();
        return;
      }
      const body = await agree(publicKey);
      if (body !== null) await api.keepDevice({ body });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['inbox'] }),
  });
  if (willingness === 'unable') return <Banner state="info">{t('accounts.devices.unable')}</Banner>;
  if (willingness === 'blocked') {
    return (
      <Banner state="warn" title={t('accounts.devices.blocked')} role="status">
        {t('accounts.devices.blockedText')}
      </Banner>
    );
  }
  const isOn = willingness === 'agreed' && current !== undefined;
  return (
    <>
      <div className={styles.row}>
        <div className={styles.words} role="status">
          <h3>{isOn ? t('accounts.devices.on') : t('accounts.devices.off')}</h3>
          <p>{isOn ? t('accounts.devices.onText') : t('accounts.devices.offText')}</p>
        </div>
        <ActionButton
          type="button"
          variant={isOn ? 'default' : 'filled'}
          pending={change.isPending}
          pendingLabel={t('accounts.saving')}
          onClick={() => change.mutate(isOn ? 'off' : 'on')}
        >
          {isOn ? t('accounts.devices.turnOff') : t('accounts.devices.turnOn')}
        </ActionButton>
      </div>
      {change.error ? (
        <Banner state="bad" role="alert">
          {change.error instanceof DOMException ? t('accounts.devices.unreachable') : errorText(change.error)}
        </Banner>
      ) : null}
    </>
  );
}

function DeviceRow({ device }: { device: Device }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      await api.removeDevice({ params: { deviceId: device.id } });
      if (device.current) await disagree();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['inbox'] }),
  });
  const { program, system } = device;
  const name =
    program !== null && system !== null
      ? t('accounts.devices.name', { program, system })
      : (program ?? system ?? t('accounts.devices.unnamed'));
  return (
    <div className={styles.row}>
      <div className={styles.words}>
        <h3>
          {name} {device.current ? <Tag>{t('accounts.devices.current')}</Tag> : null}
        </h3>
        <p>
          {t('accounts.devices.since')} <RelativeTime at={device.since} />
        </p>
        {remove.error ? <p role="alert">{errorText(remove.error)}</p> : null}
      </div>
      <ActionButton
        type="button"
        variant="subtle"
        size="xs"
        aria-label={t('accounts.devices.removeNamed', { name })}
        pending={remove.isPending}
        pendingLabel={t('accounts.devices.removing')}
        onClick={() => remove.mutate()}
      >
        {t('accounts.devices.remove')}
      </ActionButton>
    </div>
  );
}
