import { IconLock } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { ruleWords } from '#ui/dates/rule-words.ts';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState, useErrorText } from '#ui/error-state.tsx';
import { msOfInstant } from '#ui/format.ts';
import { usePreferences } from '#ui/preferences.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import { showToast } from '#ui/toasts.tsx';
import { calendarName } from '../calendar-label.tsx';
import type { GroupDraft } from '../group-draft.ts';
import { type Diff, type Group, type NamedCalendar, usePreview, useSaveGroup } from '../queries.ts';
import styles from './review-dialog.module.css';
import { type Row, useDay, useRowTime } from './use-row-time.ts';

export interface ReviewDialogProps {
  group: Group | null;
  draft: GroupDraft;
  calendars: NamedCalendar[];
  onSaved: () => void;
  onClose: () => void;
}

/** The dry run: what saving would write and remove, before it is saved. */
export function ReviewDialog({ group, draft, calendars, onSaved, onClose }: ReviewDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const preview = usePreview(group?.groupId ?? null, draft);
  const save = useSaveGroup();
  const diff = preview.data?.diff;
  const submit = () =>
    save.mutate(
      { group, input: draft },
      {
        onSuccess: () => {
          showToast({ subject: 'mirror group', state: 'ok', message: t('sync.review.saved') });
          onSaved();
        },
      },
    );
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t('sync.review.title')}
      actions={
        <>
          {diff && diff.create > 0 ? <p className={styles.undo}>{t('sync.review.undo')}</p> : null}
          <Button variant="default" onClick={onClose}>
            {t('sync.review.back')}
          </Button>
          {diff ? (
            <ActionButton
              type="button"
              color={kindOf(diff) === 'delete' ? 'bad' : 'brand'}
              pending={save.isPending}
              pendingLabel={t('sync.review.saving')}
              onClick={submit}
            >
              <SaveLabel diff={diff} />
            </ActionButton>
          ) : null}
        </>
      }
    >
      {save.error ? (
        <Banner state="bad" role="alert" title={t('sync.review.failed')}>
          {errorText(save.error)}
        </Banner>
      ) : null}
      {preview.error && !diff ? (
        <ErrorState
          title={t('sync.review.previewFailed')}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      ) : null}
      {diff ? <DiffView diff={diff} calendars={calendars} /> : null}
      {!diff && !preview.error ? <SkeletonRows rows={6} label={t('sync.review.counting')} /> : null}
    </Dialog>
  );
}

/** The one kind of change that there is; null where there are several or none. */
function kindOf(diff: Pick<Diff, 'create' | 'update' | 'delete'>): 'create' | 'update' | 'delete' | null {
  const [kind, ...others] = (['create', 'update', 'delete'] as const).filter((one) => diff[one] > 0);
  return others.length === 0 ? (kind ?? null) : null;
}

function SaveLabel({ diff }: { diff: Diff }) {
  const { t } = useTranslation();
  const kind = kindOf(diff);
  return <>{kind === null ? t('sync.review.save') : t(`sync.review.do.${kind}`, { count: diff[kind] })}</>;
}

function DiffView({ diff, calendars }: { diff: Diff; calendars: NamedCalendar[] }) {
  const { t } = useTranslation();
  const kind = kindOf(diff);
  const changes = diff.create + diff.update + diff.delete;
  const inCalendars = t('sync.review.inCalendars', { count: diff.targets.length });
  return (
    <>
      <p className={styles.sum} role="status">
        {changes === 0 ? (
          t('sync.review.nothing', { count: diff.unchanged })
        ) : kind === null ? (
          t('sync.review.sum', {
            create: diff.create,
            update: diff.update,
            delete: diff.delete,
            calendars: inCalendars,
          })
        ) : (
          <>
            {t(`sync.review.only.${kind}`, { count: diff[kind], calendars: inCalendars })}{' '}
            <span className={styles.quiet}>{t(`sync.review.nothingElse.${kind}`)}</span>
          </>
        )}
      </p>
      {diff.targets.map((target) => (
        <TargetView key={target.calendarId} target={target} calendars={calendars} />
      ))}
      {diff.create + diff.update > 0 ? (
        <p className={styles.note}>
          <IconLock size={16} stroke={1.7} aria-hidden />
          {t('sync.review.note')}
        </p>
      ) : null}
    </>
  );
}

type Target = Diff['targets'][number];
const rowsAtFirst = 4;

function TargetView({ target, calendars }: { target: Target; calendars: NamedCalendar[] }) {
  const { t } = useTranslation();
  const titleId = useId();
  const [all, setAll] = useState(false);
  const nameOf = (id: string) => calendarName(calendars, id, t('sync.unknownCalendar'));
  const rows = all || target.rows.length <= rowsAtFirst + 1 ? target.rows : target.rows.slice(0, rowsAtFirst);
  const more = target.rowCount - rows.length;
  const sources = [...new Set(target.rows.map((row) => row.sourceCalendarId))];
  const calendar = calendars.find((one) => one.calendarId === target.calendarId);
  return (
    <section className={styles.target} aria-labelledby={titleId}>
      <header className={styles.head}>
        {calendar ? <ColorMark color={calendar.color} /> : null}
        <h3 id={titleId}>{nameOf(target.calendarId)}</h3>
        <span className={styles.from}>
          {sources.length <= 2
            ? t('sync.review.from', { source: sources.map(nameOf).join(', ') })
            : t('sync.review.fromCalendars', { count: sources.length })}
        </span>
        <span className={styles.counts}>
          {(['create', 'update', 'delete'] as const).map((kind) =>
            target[kind] > 0 ? (
              <span key={kind} className={styles.count} data-action={kind}>
                {t(`sync.review.count.${kind}`, { count: target[kind] })}
              </span>
            ) : null,
          )}
        </span>
      </header>
      <ul>
        {rows.map((row) => (
          <RowView
            key={`${row.action} ${row.itemId} ${row.series === null}`}
            row={row}
            isMixed={kindOf(target) === null}
            nameOf={nameOf}
            isNamed={sources.length > 1}
          />
        ))}
      </ul>
      {more > 0 && rows.length < target.rows.length ? (
        <button type="button" className={styles.more} onClick={() => setAll(true)}>
          {t('sync.review.more', { count: more })}
        </button>
      ) : more > 0 ? (
        <p className={styles.more}>{t('sync.review.more', { count: more })}</p>
      ) : null}
    </section>
  );
}

interface RowViewProps {
  row: Target['rows'][number];
  /** The calendar has changes of several kinds: each row says its own. */
  isMixed: boolean;
  /** Events come from several calendars: each row says its own. */
  isNamed: boolean;
  nameOf: (calendarId: string) => string;
}

function RowView({ row, isMixed, isNamed, nameOf }: RowViewProps) {
  const { t } = useTranslation();
  const { day, time } = useRowTime()(row);
  const repeats = useRepeats()(row);
  const title = row.origin.trim() || t('sync.review.untitled');
  return (
    <li className={styles.row}>
      <span className={styles.day}>{day}</span>
      <span className={styles.time}>
        {time} {repeats.length > 0 ? <span className={styles.repeats}>{repeats.join(' · ')}</span> : null}
      </span>
      <span className={styles.writes} data-action={row.action}>
        {isMixed ? <span className={styles.action}>{t(`sync.review.${row.action}`)}</span> : null}
        {row.writes === null ? null : (
          <span className={styles.block} dir="auto">
            {row.writes}
          </span>
        )}
        {row.details ? <span className={styles.quiet}>{t('sync.review.details')}</span> : null}
        {row.away ? <span className={styles.quiet}>{t('sync.review.away')}</span> : null}
      </span>
      <span className={styles.origin} dir="auto">
        {isNamed
          ? t('sync.review.fromIn', { event: title, source: nameOf(row.sourceCalendarId) })
          : t('sync.review.from', { source: title })}
      </span>
    </li>
  );
}

/** How a row repeats, and which further dates its block has; empty for one date. Needs the words of the event editor. */
function useRepeats(): (row: Row) => string[] {
  const { t } = useTranslation();
  const { locale } = usePreferences();
  const dayOf = useDay();
  return ({ series, blocks }) => {
    if (series === null) return blocks > 1 ? [t('sync.review.dates', { count: blocks })] : [];
    const reader = { t, locale, start: series.start.slice(0, 16), zone: series.zone };
    return [
      series.rule === null ? t('sync.review.listed') : ruleWords(series.rule, reader),
      ...(series.since === null ? [] : [t('sync.review.since', { day: dayOf(msOfInstant(series.since)) })]),
      ...(series.excluded === 0 ? [] : [t('sync.review.excluded', { count: series.excluded })]),
      ...(series.changed === 0 ? [] : [t('sync.review.changed', { count: series.changed })]),
    ];
  };
}
