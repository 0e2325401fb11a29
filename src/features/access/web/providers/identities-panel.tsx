import type { IconProps } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SignInProvider, signInServices, usableProviders } from '#features/access/rules/sign-in-providers.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { SignInLogo } from '#ui/sign-in-logo.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useSignInMethods } from '../queries.ts';
import { SecurityRow, SecurityRows } from '../security-row.tsx';
import { type Identity, useIdentities, useLinkIdentity, useUnlinkIdentity } from './identity-queries.ts';

/** Accounts at providers that sign this person in. */
export function IdentitiesPanel() {
  const { t } = useTranslation();
  const identities = useIdentities();
  const methods = useSignInMethods();
  const list = identities.data?.identities;
  const usable = methods.data ? usableProviders(methods.data) : [];
  if (list?.length === 0 && usable.length === 0) return null;
  return (
    <Panel title={t('security.identities.title')} text={t('security.identities.text')} flush={list !== undefined}>
      {list === undefined ? (
        identities.error ? (
          <ErrorState
            title={t('security.identities.loadFailed')}
            error={identities.error}
            onRetry={() => void identities.refetch()}
          />
        ) : (
          <SkeletonRows rows={2} label={t('shell.loading')} />
        )
      ) : (
        <SecurityRows>
          {list.map((identity) => (
            <LinkedRow key={identity.id} identity={identity} />
          ))}
          {usable
            .filter((provider) => list.every((identity) => identity.provider !== provider))
            .map((provider) => (
              <OpenRow key={provider} provider={provider} isSimulated={methods.data?.[provider] === 'simulated'} />
            ))}
        </SecurityRows>
      )}
    </Panel>
  );
}

function LinkedRow({ identity }: { identity: Identity }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const unlink = useUnlinkIdentity();
  const [asking, setAsking] = useState(false);
  const { id, provider, service, label, lastUsedAt } = identity;
  return (
    <>
      <SecurityRow
        icon={logos[provider]}
        title={service}
        text={
          <>
            {label} · {t('security.identities.used')} <RelativeTime at={lastUsedAt} />
          </>
        }
        problem={unlink.error ? errorText(unlink.error) : null}
        actions={
          <Button
            variant="subtle"
            aria-label={t('security.identities.unlinkNamed', { service, label })}
            onClick={() => setAsking(true)}
          >
            {t('security.identities.unlink')}
          </Button>
        }
      />
      <ConfirmDialog
        opened={asking}
        destructive
        title={t('security.identities.unlinkTitle', { service, label })}
        confirmLabel={t('security.identities.unlink')}
        pendingLabel={t('security.identities.unlinking')}
        pending={unlink.isPending}
        onConfirm={() =>
          unlink.mutate(id, {
            onSuccess: () =>
              showToast({ subject: 'identity', state: 'ok', message: t('security.identities.unlinked', { service }) }),
            onSettled: () => setAsking(false),
          })
        }
        onClose={() => setAsking(false)}
      >
        <p>{t('security.identities.unlinkText')}</p>
      </ConfirmDialog>
    </>
  );
}

/** A provider that nothing is linked of yet. */
function OpenRow({ provider, isSimulated }: { provider: SignInProvider; isSimulated: boolean }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const link = useLinkIdentity();
  const service = signInServices[provider];
  return (
    <SecurityRow
      icon={logos[provider]}
      title={service}
      text={t(isSimulated ? 'access.provider.simulated' : 'security.identities.none')}
      problem={link.error ? errorText(link.error) : null}
      actions={
        <ActionButton
          type="button"
          variant="default"
          aria-label={t('security.identities.linkNamed', { service })}
          pending={link.isPending || link.isSuccess}
          pendingLabel={t('security.identities.linking')}
          onClick={() => link.mutate(provider, { onSuccess: ({ url }) => window.location.assign(url) })}
        >
          {t('security.identities.link')}
        </ActionButton>
      }
    />
  );
}

const logos: Record<SignInProvider, (props: IconProps) => ReactNode> = {
  google: () => <SignInLogo service="google" size={20} />,
  microsoft: () => <SignInLogo service="microsoft" size={20} />,
  apple: () => <SignInLogo service="apple" size={20} />,
  zoho: () => <SignInLogo service="zoho" size={20} />,
};
