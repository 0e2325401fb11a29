import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { ActionButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { LinkButton } from './link-button.ts';

const api = createClient(bookingContract);
// as the screen of booking links keeps it
const queryKey = ['booking', 'handle'];

/** Copies the address of all that one offers; who has none yet takes the one they are shown, or chooses another. */
export function CopyLink({ onCopied }: { onCopied: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const errorText = useErrorText();
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => api.readHandle({}, { signal }) });
  const take = useMutation({
    mutationFn: (handle: string) => api.changeHandle({ body: { handle } }),
    onSuccess: (taken) => client.setQueryData(queryKey, taken),
    onError: (error) => showToast({ subject: 'handle', state: 'bad', message: errorText(error) }),
  });
  const box = useRef<HTMLSpanElement>(null);
  // the button that was pressed is gone: the next one is where people by keys go on
  useEffect(() => {
    if (take.isSuccess) box.current?.querySelector('button')?.focus();
  }, [take.isSuccess]);
  if (!data) return null;
  if (data.url !== null) {
    return (
      <span ref={box}>
        <CopyButton text={data.url} size="xs" onCopied={onCopied}>
          {t('analytics.steps.copyLink')}
        </CopyButton>
      </span>
    );
  }
  const { suggestion } = data;
  if (suggestion === null || take.isError) {
    return (
      <LinkButton to="/booking-links" variant="default" size="xs">
        {t('analytics.steps.chooseAddress')}
      </LinkButton>
    );
  }
  const address = `${data.base.replace(/^https?:\/\//, '')}${suggestion}`;
  return (
    <ActionButton
      variant="default"
      size="xs"
      type="button"
      pending={take.isPending}
      pendingLabel={t('analytics.saving')}
      onClick={() => take.mutate(suggestion)}
    >
      {t('analytics.steps.takeAddress', { address })}
    </ActionButton>
  );
}
