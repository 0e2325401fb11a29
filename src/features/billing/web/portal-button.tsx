import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { ActionButton } from '#ui/button.tsx';
import { showToast } from '#ui/toasts.tsx';
import { useOpenPortal } from './queries.ts';

/** Cards, addresses and receipts are at Stripe, in a tab of its own. */
export function PortalButton({ label }: { label: string }) {
  const { t } = useTranslation();
  const portal = useOpenPortal();
  return (
    <ActionButton
      type="button"
      variant="default"
      rightSection={<IconExternalLink size={16} aria-hidden />}
      pending={portal.isPending}
      pendingLabel={t('billing.opening')}
      onClick={() =>
        portal.mutate(undefined, {
          onError: () => showToast({ subject: 'portal', state: 'bad', message: t('billing.portalFailed') }),
        })
      }
    >
      {label}
    </ActionButton>
  );
}
