import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '#ui/button.tsx';
import { SidePanel } from '#ui/side-panel.tsx';
import styles from '../mirrors/mirror-details.module.css';
import { DetailsStepsContext } from './details-steps.ts';

export interface DetailsSheetProps {
  title: string;
  /** Stays in view at the end. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** The details of a row at the side of the list; `j` and `k` go to the next row and the one before. */
export function DetailsSheet({ title, actions, onClose, children }: DetailsSheetProps) {
  const { t } = useTranslation();
  const steps = useContext(DetailsStepsContext);
  const onKeyDown = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
    if (ctrlKey || metaKey || altKey || (target as Element).closest('input, textarea, select') !== null) return;
    if (key === 'j') steps?.next?.();
    if (key === 'k') steps?.previous?.();
  };
  const step = (label: string, keys: string, go: (() => void) | null, Icon: typeof IconChevronUp) => (
    <IconButton label={label} aria-keyshortcuts={keys} aria-disabled={go === null} onClick={() => go?.()}>
      <Icon size={18} stroke={1.6} aria-hidden />
    </IconButton>
  );
  return (
    <SidePanel
      title={title}
      onClose={onClose}
      onKeyDown={onKeyDown}
      actions={
        steps ? (
          <>
            {step(t('meetings.details.previous'), 'k', steps.previous, IconChevronUp)}
            {step(t('meetings.details.next'), 'j', steps.next, IconChevronDown)}
          </>
        ) : null
      }
      footer={actions}
    >
      <div className={styles.sheet}>{children}</div>
    </SidePanel>
  );
}
