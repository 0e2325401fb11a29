import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { formatDay, formatTime, msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { type ReadingWarning, useWarnings, type WarnedEvent } from './queries.ts';
import styles from './warnings-dialog.module.css';

/** Warnings from the readings of one calendar, and their effect on busy time. */
export function WarningsDialog({ calendar, onClose }: { calendar: { id: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useWarnings(calendar.id);
  return (
    <Dialog opened onClose={onClose} title={t('connections.warnings.title', { name: calendar.name })}>
      {data ? (
        data.events.length + data.file.length === 0 ? (
          <p className={styles.intro}>{t('connections.warnings.none')}</p>
        ) : (
          <>
            <p className={styles.intro}>{t('connections.warnings.intro')}</p>
            {data.file.length > 0 ? (
              <section className={styles.file} aria-label={t('connections.warnings.file')}>
                <h3>{t('connections.warnings.file')}</h3>
                <Notes notes={data.file} />
              </section>
            ) : null}
            <ul className={styles.events}>
              {data.events.map((event) => (
                <Event key={event.item_id} event={event} />
              ))}
            </ul>
            {data.more > 0 ? (
              <p className={styles.more}>{t('connections.warnings.more', { count: data.more })}</p>
            ) : null}
          </>
        )
      ) : error ? (
        <ErrorState title={t('connections.warnings.loadFailed')} error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={4} label={t('connections.warnings.loading')} />
      )}
    </Dialog>
  );
}

function Event({ event }: { event: WarnedEvent }) {
  const { t } = useTranslation();
  return (
    <li className={styles.event}>
      <p className={styles.heading}>
        <span className={styles.title}>
          <bdi>{event.title || t('connections.warnings.untitled')}</bdi>
        </span>
        <span className={styles.effect} data-effect={event.effect}>
          {t(`connections.warnings.effect.${event.effect}`)}
        </span>
      </p>
      <When event={event} />
      <Notes notes={event.notes} />
    </li>
  );
}

function When({ event: { start_time, all_day } }: { event: WarnedEvent }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const currentMs = useNowMs();
  if (start_time === null) return <p className={styles.when}>{t('connections.warnings.noTime')}</p>;
  const atMs = msOfInstant(start_time);
  const day = formatDay(atMs, preferences, currentMs);
  return (
    <p className={styles.when}>
      <time dateTime={start_time}>
        {all_day ? day : t('connections.warnings.when', { day, time: formatTime(atMs, preferences) })}
      </time>
    </p>
  );
}

function Notes({ notes }: { notes: readonly ReadingWarning[] }) {
  return (
    <ul className={styles.notes}>
      {notes.map((note) => (
        <li key={JSON.stringify(note)}>
          <Note note={note} />
        </li>
      ))}
    </ul>
  );
}

const properties = ['SUMMARY', 'LOCATION', 'DESCRIPTION', 'RDATE', 'EXDATE'] as const;

/** A name from the source, within a sentence. Between the signs, one from right to left moves nothing beside it. */
const isolated = (name: string) => (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name);

/** One sentence, and below it the piece of the source that it is about. */
function Note({ note: { code, values } }: { note: ReadingWarning }) {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const { source = '' } = values;
  const named = properties.find((name) => name === values.property);
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    shown[name] = typeof value === 'string' ? isolated(value) : value.toLocaleString(locale);
  }
  if (named !== undefined) shown.property = t(`connections.warnings.property.${named}`);
  return (
    <>
      {t(`connections.warnings.text.${code}`, shown)}
      {source === '' ? null : (
        <code className={styles.source} dir="ltr">
          {source}
        </code>
      )}
    </>
  );
}
