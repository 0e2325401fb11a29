import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Contact, useDeleteContact, useRestoreContact } from './queries.ts';

/** Deletes a contact at once, with a way back. */
export function useRemove(): (contact: Contact) => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remove = useDeleteContact();
  const restore = useRestoreContact();
  return (contact) => {
    const subject = `contact ${contact.id}`;
    const onError = (error: Error) => showToast({ subject, state: 'bad', message: errorText(error) });
    remove.mutate(contact.id, {
      onSuccess: () =>
        showToast({
          subject,
          state: 'ok',
          message: t('contacts.deleted', { name: contact.name ?? contact.addresses[0]?.address }),
          action: { label: t('contacts.undo'), run: () => restore.mutate(contact.id, { onError }) },
          staysMs: 10_000,
        }),
      onError,
    });
  };
}
