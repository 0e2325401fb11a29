import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Overlay.layer.css';
import '@mantine/core/styles/ModalBase.layer.css';
import '@mantine/core/styles/Modal.layer.css';
import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useId } from 'react';
import styles from './dialog.module.css';
import { useReturnedFocus } from './use-returned-focus.ts';
import { useWords } from './words.tsx';

export interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons, primary last; stays in view while the body scrolls. */
  actions?: ReactNode;
  size?: 'sm' | 'md' | 'lg';
  /** No higher than four fifths of the screen. */
  isLow?: boolean;
}

/** Those that are open, the one on top last: Escape is heard by all of them and meant for that one. */
const open: string[] = [];

const widths = { sm: 440, md: 620, lg: 820 };

/** A dialog; on a phone a sheet at the bottom. Focus is kept inside and goes back to what opened it. */
export function Dialog({ opened, onClose, title, children, actions, size = 'md', isLow = false }: DialogProps) {
  const words = useWords();
  const id = useId();
  useEffect(() => {
    if (!opened) return;
    open.push(id);
    return () => {
      open.splice(open.indexOf(id), 1);
    };
  }, [opened, id]);
  const giveBack = useReturnedFocus(opened);
  return (
    <Modal
      opened={opened}
      onClose={() => {
        if (open.at(-1) === id) onClose();
      }}
      title={title}
      size={widths[size]}
      centered
      onExitTransitionEnd={() => {
        // the opener may be gone by now: deleted, or the empty state that the dialog ended; the dialog and its focus go
        // with the next frame
        requestAnimationFrame(giveBack);
      }}
      radius="var(--hf-radius-dialog)"
      padding={0}
      {...(isLow ? { styles: { content: { maxHeight: '80dvh' } } } : {})}
      overlayProps={{ color: 'var(--hf-overlay)', backgroundOpacity: 1 }}
      transitionProps={{ transition: 'fade-up', duration: 180 }}
      closeButtonProps={{ 'aria-label': words.close, size: 'lg', iconSize: 18 }}
      classNames={{
        inner: styles.inner,
        content: styles.content,
        header: styles.header,
        title: styles.title,
        body: styles.body,
        close: styles.close,
      }}
    >
      <div className={styles.scroll}>{children}</div>
      {actions ? <div className={styles.actions}>{actions}</div> : null}
    </Modal>
  );
}
