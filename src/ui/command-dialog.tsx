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
    <Modal.Root
      opened
      onClose={onClose}
      size={640}
      yOffset="12vh"
      padding={0}
      radius="var(--hf-radius-dialog)"
      transitionProps={{ transition: 'fade-down', duration: 120 }}
      classNames={{ inner: styles.inner, content: styles.content, body: styles.body }}
    >
      <Modal.Overlay color="var(--hf-overlay)" backgroundOpacity={1} />
      <Modal.Content aria-label={label} aria-describedby={undefined}>
        <Modal.Body>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
