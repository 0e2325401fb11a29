import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { bookingContract } from '#features/booking/contract.ts';
import type { CallInput } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import { CopyButton } from '#ui/copy-button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { SelectField } from '#ui/text-field.tsx';
import styles from './booking-link-dialog.module.css';
import { LinkButton } from './link-button.ts';

const api = createClient(bookingContract);
type NewLink = CallInput<typeof bookingContract.createBookingLink>['body'];
type TypeId = NonNullable<NewLink['event_type_id']>;

/** An account or a calendar that gets what is booked. */
export interface LinkPlace {
  kind: 'account' | 'calendar';
  id: string;
  name: string;
}

/** The booking link of an account or a calendar, made when it is asked for and the same ever after. */
export function BookingLinkDialog({ place, onClose }: { place: LinkPlace; onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const found = useQuery({
    queryKey: ['booking', 'types'],
    queryFn: ({ signal }) => api.listEventTypes({}, { signal }),
  });
  const { mutate, ...generated } = useMutation({
    mutationFn: (eventTypeId: TypeId | undefined) =>
      api.createBookingLink({ body: { ...bodyOf(place), ...(eventTypeId && { event_type_id: eventTypeId }) } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['booking'] }),
  });
  useEffect(() => mutate(undefined), [mutate]);
  const link = generated.data?.link;
  const choices = found.data?.event_types ?? [];
  return (
    <Dialog opened onClose={onClose} title={t('connections.link.title', { name: place.name })} size="sm">
      {link ? (
        <div className={styles.link}>
          <QrCode text={link.url} label={t('connections.link.code', { name: place.name })} size={148} />
          <p className={styles.url}>{link.url}</p>
          <CopyButton text={link.url} fullWidth>
            {t('connections.link.copy')}
          </CopyButton>
          {choices.length > 1 ? (
            <SelectField
              className={styles.whole}
              label={t('connections.link.books')}
              value={generated.isPending ? (generated.variables ?? link.event_type_id) : link.event_type_id}
              data={choices.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(event) => mutate(event.currentTarget.value as TypeId)}
            />
          ) : (
            <p className={styles.text}>{t('connections.link.booksOne', { title: link.title })}</p>
          )}
          <LinkButton to="/booking-links/$typeId" params={{ typeId: link.event_type_id }} variant="subtle" size="xs">
            {t('connections.link.edit')}
          </LinkButton>
        </div>
      ) : generated.isError ? (
        <ErrorState title={t('connections.link.failed')} error={generated.error} onRetry={() => mutate(undefined)} />
      ) : (
        <SkeletonRows rows={3} label={t('connections.link.pending')} />
      )}
    </Dialog>
  );
}

const bodyOf = ({ kind, id }: LinkPlace): NewLink =>
  (kind === 'account' ? { kind, account_id: id } : { kind, calendar_id: id }) as NewLink;
