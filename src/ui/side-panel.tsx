import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Modal } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { KeyboardEvent, ReactNode } from 'react';
import { IconButton } from './button.tsx';
import styles from './side-panel.module.css';
import { useReturnedFocus } from './use-returned-focus.ts';
import { useWords } from './words.tsx';

/** A panel at the right edge over the page; on a phone the whole screen. Focus stays in it and goes back when it closes. */
export function SidePanel({
  title,
  actions,
  footer,
  onClose,
  onKeyDown,
  children,
}: {
  title: string;
  actions?: ReactNode;
  /** Buttons that stay in view while the rest scrolls. */
  footer?: ReactNode;
  onClose: () => void;
  /** Keys that act while the focus is anywhere in it. */
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}) {
  const words = useWords();
  useReturnedFocus(true);
  return (
    <Modal.Root
      opened
      onClose={onClose}
      padding={0}
      transitionProps={{ transition: 'slide-left', duration: 180 }}
      classNames={{ inner: styles.inner, content: styles.content, body: styles.body }}
    >
      <Modal.Overlay color="var(--hf-overlay)" backgroundOpacity={1} />
      <Modal.Content aria-label={title} aria-describedby={undefined} onKeyDown={onKeyDown}>
        <Modal.Body>
          <div className={styles.header}>
            <h2 className={styles.title} tabIndex={-1} data-autofocus>
              {title}
            </h2>
            {actions}
            <IconButton label={words.close} onClick={onClose}>
              <IconX size={18} stroke={1.6} aria-hidden />
            </IconButton>
          </div>
          <div className={styles.scroll}>{children}</div>
          {footer ? <div className={styles.footer}>{footer}</div> : null}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
