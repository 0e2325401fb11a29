import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { CopyButton } from '#ui/copy-button.tsx';

const api = createClient(bookingContract);

/** Copies the address of all that one offers. */
export function CopyLink({ onCopied }: { onCopied: () => void }) {
  const { t } = useTranslation();
  const { data } = useQuery({ queryKey: ['help', 'handle'], queryFn: ({ signal }) => api.readHandle({}, { signal }) });
  if (!data?.url) return null;
  return (
    <CopyButton text={data.url} size="xs" onCopied={onCopied}>
      {t('analytics.steps.copyLink')}
    </CopyButton>
  );
}
