import { useTranslation } from 'react-i18next';
import type { Hours } from '#features/availability/rules/hours.ts';
import { ActionButton, Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { Base } from './hours-draft.ts';
import { HoursSummary } from './hours-summary.tsx';
import styles from './stale-dialog.module.css';

export interface StaleDialogProps {
  mine: Hours;
  theirs: Base;
  pending: boolean;
  onMine: () => void;
  onTheirs: () => void;
  onClose: () => void;
}

/** A conflict of saved hours: both versions side by side, one to be chosen, neither lost before. */
export function StaleDialog({ mine, theirs, pending, onMine, onTheirs, onClose }: StaleDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('availability.stale.title')}
      size="lg"
      actions={
        <>
          <Button variant="default" onClick={onTheirs}>
            {t('availability.stale.takeTheirs')}
          </Button>
          <ActionButton type="button" pending={pending} pendingLabel={t('availability.saving')} onClick={onMine}>
            {t('availability.stale.keepMine')}
          </ActionButton>
        </>
      }
    >
      <p>{t('availability.stale.text', { version: theirs.version })}</p>
      <div className={styles.both}>
        <section>
          <h3>{t('availability.stale.mine')}</h3>
          <HoursSummary hours={mine} other={theirs.hours} />
        </section>
        <section>
          <h3>{t('availability.stale.theirs', { version: theirs.version })}</h3>
          <HoursSummary hours={theirs.hours} other={mine} />
        </section>
      </div>
    </Dialog>
  );
}
