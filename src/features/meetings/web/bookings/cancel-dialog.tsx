import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/choice.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { SelectField } from '#ui/text-field.tsx';
import type { EditScope, MeetingRow } from '../queries.ts';
import styles from './cancel-dialog.module.css';
import type { Cancel } from './use-cancel.ts';

export interface CancelDialogProps {
  row: MeetingRow;
  onCancel: Cancel;
  onClose: () => void;
}

/** Which of a series, and who is told; it goes out ten seconds later, and until then can be taken back. */
export function CancelDialog({ row, onCancel, onClose }: CancelDialogProps) {
  const { t } = useTranslation();
  const [scope, setScope] = useState<EditScope>(row.recurring ? 'this' : 'all');
  const [tellGuests, setTellGuests] = useState(true);
  return (
    <Dialog
      opened
      onClose={onClose}
      size="sm"
      title={t('meetings.cancel.title', { title: row.eventType })}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('meetings.cancel.keep')}
          </Button>
          <Button
            color="bad"
            onClick={() => {
              onCancel(row, scope, tellGuests);
              onClose();
            }}
          >
            {t('meetings.cancel.confirm')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {row.recurring ? (
          <SelectField
            label={t('meetings.cancel.which')}
            value={scope}
            onChange={(event) => setScope(event.currentTarget.value as EditScope)}
            data={[
              { value: 'this', label: t('meetings.cancel.this') },
              { value: 'following', label: t('meetings.cancel.following') },
              { value: 'all', label: t('meetings.cancel.all') },
            ]}
          />
        ) : null}
        <Checkbox
          label={t('meetings.cancel.tell', { count: row.invitees.length })}
          checked={tellGuests}
          onChange={(event) => setTellGuests(event.currentTarget.checked)}
        />
        <p>{t('meetings.cancel.text')}</p>
      </div>
    </Dialog>
  );
}
