import { IconX } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import styles from './panel-drawer.module.css';

/** The panel where the window has no room for it: over the grid, from the left, closed by Escape or a click beside it. */
export function PanelDrawer({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape is the dialog's own
    <dialog
      ref={dialog}
      className={styles.drawer}
      aria-label={label}
      onClose={() => {
        if (dialog.current?.open === false) onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current.close();
      }}
    >
      <div className={styles.close}>
        <IconButton label={t('calendar.close')} onClick={() => dialog.current?.close()}>
          <IconX size={18} aria-hidden />
        </IconButton>
      </div>
      {children}
    </dialog>
  );
}
