import { IconExternalLink, IconHelp, IconPencil, IconTrash, IconVideo } from '@tabler/icons-react';
import { lazy, type MouseEvent, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonAnchor } from '#ui/button.tsx';
import { useExplain } from '#ui/explain.ts';
import { loadWords } from '#ui/load-words.ts';
import { providerName } from '#ui/provider-mark.tsx';
import { AnswerRow } from '../answers/answer-row.tsx';
import type { GridEvent } from '../grid-event.ts';
import { safeLink } from '../safe-link.ts';
import { useEditing } from './editing.tsx';
import styles from './event-actions.module.css';

const HoldFacts = lazy(async () => {
  const [facts] = await Promise.all([import('./hold-facts.tsx'), loadWords('holds')]);
  return { default: facts.HoldFacts };
});

/** The actions of an event's card: the four of the specification, and the explanation of its state. */
export function EventActions({ event }: { event: GridEvent }) {
  const { t } = useTranslation();
  const begin = useEditing();
  const explain = useExplain();
  const join = safeLink(event.meetingLink);
  const open = safeLink(event.openUrl);
  const provider = providerName(event.provider);
  // The card is the top layer: what it opens would stand behind it.
  const leaving = (act: () => void) => (press: MouseEvent<HTMLElement>) => {
    press.currentTarget.closest('dialog')?.close();
    act();
  };
  const canEdit = begin !== null && event.notEditable === undefined && !event.isWaiting;
  // neither busy nor free
  const isSoft = !event.blocks && !event.isFree && !event.isMirror && !event.isDeclined;
  return (
    <section className={styles.section} aria-label={t('editor.actions')}>
      {isSoft ? (
        <Suspense>
          <HoldFacts event={event} leaving={leaving} />
        </Suspense>
      ) : null}
      <div className={styles.actions}>
        {canEdit ? (
          <>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPencil size={15} stroke={1.8} aria-hidden />}
              onClick={leaving(() => begin({ kind: 'edit', eventId: event.id }))}
            >
              {t('editor.edit')}
            </Button>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconTrash size={15} stroke={1.8} aria-hidden />}
              onClick={leaving(() => begin({ kind: 'delete', eventId: event.id }))}
            >
              {t('editor.delete')}
            </Button>
          </>
        ) : null}
        {join === undefined ? null : (
          <ButtonAnchor
            variant="default"
            size="xs"
            href={join.href}
            target="_blank"
            rel="noreferrer noopener"
            leftSection={<IconVideo size={15} stroke={1.8} aria-hidden />}
          >
            {t('editor.join')}
          </ButtonAnchor>
        )}
        {open === undefined ? null : (
          <ButtonAnchor
            variant="default"
            size="xs"
            href={open.href}
            target="_blank"
            rel="noreferrer noopener"
            leftSection={<IconExternalLink size={15} stroke={1.8} aria-hidden />}
          >
            {t('editor.openIn', { provider })}
          </ButtonAnchor>
        )}
      </div>
      {begin !== null && event.answer !== undefined ? <AnswerRow event={event} /> : null}
      {event.isWaiting ? <p className={styles.reason}>{t('editor.waiting', { provider })}</p> : null}
      {event.notEditable === undefined || event.answer !== undefined ? null : (
        <p className={styles.reason}>{t(`calendar.notEditable.${event.notEditable}`)}</p>
      )}
      {explain === null || event.isWaiting ? null : (
        <button
          type="button"
          className={styles.why}
          onClick={leaving(() =>
            explain(event.isMirror ? { about: 'busy', eventId: event.id } : { about: 'mirrors', eventId: event.id }),
          )}
        >
          <IconHelp size={14} stroke={1.8} aria-hidden />
          {event.isMirror ? t('editor.whyBusy') : t('editor.whyMirrored')}
        </button>
      )}
    </section>
  );
}
