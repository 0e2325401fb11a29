import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { ExplainPanelProps, Question } from '#ui/explain.ts';
import { BusyAnswer } from './busy-answer.tsx';
import styles from './explain-panel.module.css';
import { MirrorsAnswer } from './mirrors-answer.tsx';
import { SlotAnswer } from './slot-answer.tsx';

/** The screens whose article says how each is decided. */
const screenOf: Readonly<Record<Question['about'], string>> = {
  mirrors: '/integrations/mirrors',
  busy: '/calendar',
  slot: '/availability',
};

/** One place that answers why: an event stands in other calendars or not, a time is busy or not, offered or not. */
export function ExplainPanel({ task: question, onClose }: ExplainPanelProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Question>(question);
  const other = otherOf(asked);
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(`explain.${asked.about}`)}
      actions={
        <>
          {other === null ? null : (
            <Button variant="default" onClick={() => setAsked(other)}>
              {other.about === 'mirrors' ? t('explain.askMirrors') : t('explain.askBusy')}
            </Button>
          )}
          <Button onClick={onClose}>{t('explain.close')}</Button>
        </>
      }
    >
      {asked.about === 'mirrors' ? (
        <MirrorsAnswer question={asked} onLeave={onClose} />
      ) : asked.about === 'slot' ? (
        <SlotAnswer question={asked} onLeave={onClose} />
      ) : (
        <BusyAnswer question={asked} onLeave={onClose} />
      )}
      <p className={styles.help}>
        <Link to="/help" search={{ about: screenOf[asked.about] }} onClick={onClose}>
          {t('explain.help')}
        </Link>
      </p>
    </Dialog>
  );
}

/** The other question about the same event. */
function otherOf(asked: Question): Question | null {
  if (!('eventId' in asked)) return null;
  const { eventId } = asked;
  return asked.about === 'mirrors' ? { about: 'busy', eventId } : { about: 'mirrors', eventId };
}
