import type { ReactNode } from 'react';
import { ActionButton, Button } from './button.tsx';
import styles from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { useWords } from './words.tsx';

export interface ConfirmDialogProps {
  opened: boolean;
  /** The question itself. */
  title: string;
  /** Consequences of the action, and data that is kept. */
  children?: ReactNode;
  /** The verb, e.g. "Disconnect". */
  confirmLabel: string;
  pendingLabel: string;
  pending: boolean;
  destructive?: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** A question before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const words = useWords();
  return (
    <Dialog
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      size="sm"
      actions={
        <>
          <Button variant="default" onClick={props.onClose}>
            {words.cancel}
          </Button>
          <ActionButton
            type="button"
            color={props.destructive ? 'bad' : 'brand'}
            pending={props.pending}
            pendingLabel={props.pendingLabel}
            onClick={props.onConfirm}
          >
            {props.confirmLabel}
          </ActionButton>
        </>
      }
    >
      <div className={styles.text}>{props.children}</div>
    </Dialog>
  );
}
