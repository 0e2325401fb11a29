import { IconExternalLink } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { may } from '#features/teams/rules.ts';
import { ActionButton, ButtonAnchor } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { HandleField, isHandle } from '../handle-field.tsx';
import { type Handle, type Team, useChangeHandle, useTeamHandle } from '../queries.ts';
import styles from '../teams.module.css';

/** Where a team is found by everybody. */
export function AddressPanel({ team }: { team: Team }) {
  const { t } = useTranslation();
  const handle = useTeamHandle(team.id);
  const url = handle.data?.url ?? null;
  return (
    <Panel title={t('teams.address.title')} text={t('teams.address.text')}>
      {handle.data === undefined ? (
        handle.error ? (
          <ErrorState title={t('teams.loadFailed')} error={handle.error} onRetry={() => void handle.refetch()} />
        ) : (
          <SkeletonRows rows={1} label={t('shell.loading')} />
        )
      ) : (
        <div className={styles.form}>
          {url === null ? null : (
            <div className={styles.line}>
              <strong className={styles.address}>{url.replace(/^https?:\/\//, '')}</strong>
              <span className={styles.rowActions}>
                <CopyButton text={url} size="xs">
                  {t('teams.address.copy')}
                </CopyButton>
                <ButtonAnchor
                  href={url}
                  target="_blank"
                  rel="noreferrer noopener"
                  variant="subtle"
                  size="xs"
                  leftSection={<IconExternalLink size={15} aria-hidden />}
                >
                  {t('teams.address.open')}
                </ButtonAnchor>
              </span>
            </div>
          )}
          {may(team.role, 'change-team') ? (
            <AddressForm key={handle.data.handle} team={team} handle={handle.data} />
          ) : url === null ? (
            <p className={styles.second}>{t('teams.address.none')}</p>
          ) : null}
        </div>
      )}
    </Panel>
  );
}

function AddressForm({ team, handle }: { team: Team; handle: Handle }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useChangeHandle();
  const [name, setName] = useState(handle.handle ?? handle.suggestion ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isHandle(name) || name === handle.handle) return;
    void change.mutateAsync({ teamId: team.id, handle: name }).then(
      () => showToast({ subject: 'handle', state: 'ok', message: t('teams.address.saved') }),
      () => undefined, // said at the field
    );
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <HandleField
        base={handle.base.replace(/^https?:\/\//, '')}
        teamId={team.id}
        current={handle.handle}
        value={name}
        refusal={change.isError && change.variables.handle === name ? errorText(change.error) : null}
        onChange={setName}
      />
      <div>
        <ActionButton
          variant="default"
          pending={change.isPending}
          pendingLabel={t('teams.settings.saving')}
          disabled={name === handle.handle}
        >
          {handle.handle === null ? t('teams.address.take') : t('teams.address.change')}
        </ActionButton>
      </div>
    </form>
  );
}
