import { type FormEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import form from './frame/guest-form.module.css';
import { Refusal } from './frame/refusal.tsx';

export interface FormDialogProps {
  title: string;
  /** The label of the submit button. */
  action: string;
  pending: boolean;
  pendingLabel: string;
  /** Why it was refused, where no field says so. */
  refused: string | null;
  onSubmit: () => void;
  /** Something is typed or chosen. */
  onInput: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** A small form over the page. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, pending, pendingLabel, refused, onSubmit, onClose, children } = props;
  const { t } = useTranslation();
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!pending) onSubmit();
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={title}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <ActionButton form={id} pending={pending} pendingLabel={pendingLabel}>
            {action}
          </ActionButton>
        </>
      }
    >
      <form id={id} className={form.form} onSubmit={submit} onInput={props.onInput}>
        {refused === null ? null : <Refusal>{refused}</Refusal>}
        {children}
      </form>
    </Dialog>
  );
}
