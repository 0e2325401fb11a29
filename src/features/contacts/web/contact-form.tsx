import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { forgetRefusal } from '#ui/refusal.tsx';
import { TextField } from '#ui/text-field.tsx';
import styles from './contact-form.module.css';
import { type Contact, type ContactId, useAddContact, useChangeContact } from './queries.ts';

const formId = 'contact-form';

/** A new contact, or what is known of one. */
export function ContactForm({
  contact,
  onClose,
  onAdded,
}: {
  contact?: Contact;
  onClose: () => void;
  onAdded?: (id: ContactId) => void;
}) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const add = useAddContact();
  const change = useChangeContact();
  const [address, setAddress] = useState(contact?.addresses[0]?.address ?? '');
  const [name, setName] = useState(contact?.name ?? '');
  const [phone, setPhone] = useState(contact?.phone ?? '');
  const [company, setCompany] = useState(contact?.company ?? '');
  const [tags, setTags] = useState((contact?.tags ?? []).join(', '));
  const act = contact === undefined ? add : change;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = {
      name,
      phone,
      company,
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    };
    if (contact === undefined) {
      add.mutate(
        { address: address.trim(), ...typed },
        {
          onSuccess: ({ id }) => {
            onClose();
            onAdded?.(id);
          },
        },
      );
    } else {
      change.mutate({ id: contact.id, ...typed }, { onSuccess: onClose });
    }
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      size="sm"
      title={contact === undefined ? t('contacts.form.add') : t('contacts.form.edit')}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('contacts.cancel')}
          </Button>
          <ActionButton form={formId} pending={act.isPending} pendingLabel={t('contacts.form.saving')}>
            {contact === undefined ? t('contacts.form.submit') : t('contacts.form.save')}
          </ActionButton>
        </>
      }
    >
      <form onInput={forgetRefusal(act)} id={formId} className={styles.form} onSubmit={submit}>
        {contact === undefined ? (
          <TextField
            label={t('contacts.form.address')}
            type="email"
            required
            maxLength={254}
            data-autofocus
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        ) : (
          <p className={styles.address}>{contact.addresses.map((one) => one.address).join(', ')}</p>
        )}
        <TextField
          label={t('contacts.form.name')}
          maxLength={200}
          data-autofocus={contact === undefined ? undefined : true}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextField
          label={t('contacts.form.company')}
          maxLength={200}
          value={company}
          onChange={(event) => setCompany(event.currentTarget.value)}
        />
        <TextField
          label={t('contacts.form.phone')}
          type="tel"
          maxLength={40}
          value={phone}
          onChange={(event) => setPhone(event.currentTarget.value)}
        />
        <TextField
          label={t('contacts.form.tags')}
          description={t('contacts.form.tagsHint')}
          value={tags}
          onChange={(event) => setTags(event.currentTarget.value)}
        />
        {act.isError ? (
          <p className={styles.error} role="alert">
            {errorText(act.error)}
          </p>
        ) : null}
      </form>
    </Dialog>
  );
}
