import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { KeyCaps } from '#ui/key-caps.tsx';
import styles from './search-box.module.css';

/** Looks like a field and opens the palette, where one types; on a phone an icon. */
export function SearchBox({ onOpen, onNear }: { onOpen: () => void; onNear: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={styles.box}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onPointerEnter={onNear}
      onFocus={onNear}
      onClick={onOpen}
    >
      <IconSearch size={18} stroke={1.6} aria-hidden />
      <span className={styles.words}>{t('shell.search')}</span>
      <span className={styles.keys} aria-hidden>
        <KeyCaps keys="mod+k" />
      </span>
    </button>
  );
}
