import { useTranslation } from 'react-i18next';
import { useIsNewBuild } from './new-build.ts';
import styles from './offline-bar.module.css';

/** Offers the newer pages; nobody is interrupted. */
export function NewBuildBar() {
  const { t } = useTranslation();
  const isNew = useIsNewBuild();
  return (
    <div role="status">
      {isNew ? (
        <p className={styles.bar} data-tone="info">
          {t('shell.newVersion')}{' '}
          <button type="button" className={styles.action} onClick={() => location.reload()}>
            {t('shell.reload')}
          </button>
        </p>
      ) : null}
    </div>
  );
}
