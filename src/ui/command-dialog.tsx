import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './command-dialog.module.css';
import { useReturnedFocus } from './use-returned-focus.ts';

/** A dialog that begins with the field one types into, near the top; on a phone the whole screen. */
export function CommandDialog({
  label,
  onClose,
  children,
}: {
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  useReturnedFocus(true);
  return (
    <Modal
      opened
      onClose={onClose}
      aria-label={label}
      withCloseButton={false}
      size={640}
      yOffset="12vh"
      padding={0}
      radius="var(--hf-radius-dialog)"
      overlayProps={{ color: 'var(--hf-overlay)', backgroundOpacity: 1 }}
      transitionProps={{ transition: 'fade-down', duration: 120 }}
      classNames={{ inner: styles.inner, content: styles.content, body: styles.body }}
    >
      {children}
    </Modal>
  );
}
