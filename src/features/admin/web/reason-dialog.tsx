import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { TextArea } from '#ui/text-area.tsx';
import styles from './reason-dialog.module.css';

export interface ReasonDialogProps {
  opened: boolean;
  /** The question itself. */
  title: string;
  /** The consequences. */
  children?: ReactNode;
  /** The verb, e.g. "Suspend". */
  confirmLabel: string;
  /** The fields above are incomplete. */
  blocked?: boolean;
  pending: boolean;
  /** Why the server refused. */
  error?: unknown;
  destructive?: boolean;
  onConfirm: (reason: string) => void;
  onClose: () => void;
}

/** Before every act of an administrator: what it does, and why it is done. */
export function ReasonDialog(props: ReasonDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [reason, setReason] = useState('');
  const isEnough = reason.trim().length >= 3;
  return (
    <Dialog opened={props.opened} onClose={props.onClose} title={props.title} size="sm">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (isEnough && !props.blocked && !props.pending) props.onConfirm(reason.replace(/\s+/g, ' ').trim());
        }}
      >
        {props.children}
        {props.error ? (
          <Banner state="bad" role="alert">
            {errorText(props.error)}
          </Banner>
        ) : null}
        <TextArea
          label={t('admin.reason.label')}
          description={t('admin.reason.text')}
          required
          minLength={3}
          maxLength={500}
          minRows={2}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button variant="default" onClick={props.onClose}>
            {t('ui.cancel')}
          </Button>
          <ActionButton
            color={props.destructive ? 'bad' : 'brand'}
            disabled={!isEnough || props.blocked}
            pending={props.pending}
            pendingLabel={t('admin.reason.pending')}
          >
            {props.confirmLabel}
          </ActionButton>
        </div>
      </form>
    </Dialog>
  );
}
