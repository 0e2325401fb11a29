import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mirrorRuleOf } from '#features/sync/rules/mirror-rule.ts';
import { underSettings } from '#features/sync/rules/sync-settings.ts';
import { CalendarLabel, calendarName } from './calendar-label.tsx';
import { type GroupDraft, type Pair, pairOf, type Shown, shownIn, withPair } from './group-draft.ts';
import { PairDialog } from './pair-dialog.tsx';
import styles from './pair-matrix.module.css';
import { type NamedCalendar, useSettings } from './queries.ts';

export interface PairMatrixProps {
  draft: GroupDraft;
  calendars: NamedCalendar[];
  onChange: (draft: GroupDraft) => void;
}

/** Rows are read, columns are written; each crossing opens what differs for that pair. */
export function PairMatrix({ draft, calendars, onChange }: PairMatrixProps) {
  const { t } = useTranslation();
  const inherited = underSettings(useSettings(), draft.rule);
  const [opened, setOpened] = useState<Pair | null>(null);
  const partOf = (part: 'isSource' | 'isTarget') =>
    calendars.filter((calendar) =>
      draft.members.some((member) => member.calendarId === calendar.calendarId && member[part]),
    );
  const sources = partOf('isSource');
  const targets = partOf('isTarget');
  const nameOf = (calendarId: string) => calendarName(calendars, calendarId, t('sync.unknownCalendar'));
  if (sources.length === 0 || targets.length === 0) return <p className={styles.none}>{t('sync.matrix.none')}</p>;

  return (
    // Its cells are buttons, so the keyboard can scroll it without a tab stop of its own.
    <div className={styles.scroll}>
      <table className={styles.matrix}>
        <caption className="hf-sr-only">{t('sync.matrix.caption')}</caption>
        <thead>
          <tr>
            <td className={styles.corner}>{t('sync.matrix.corner')}</td>
            {targets.map((target) => (
              <th key={target.calendarId} scope="col">
                <CalendarLabel calendar={target} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <tr key={source.calendarId}>
              <th scope="row">
                <CalendarLabel calendar={source} />
              </th>
              {targets.map((target) => (
                <td key={target.calendarId}>
                  {source.calendarId === target.calendarId ? (
                    <span className={styles.same}>{t('sync.matrix.same')}</span>
                  ) : (
                    <PairCell
                      pair={pairOf(draft, source.calendarId, target.calendarId)}
                      shown={shownIn(mirrorRuleOf(inherited, pairOf(draft, source.calendarId, target.calendarId).rule))}
                      name={t('sync.matrix.pair', { source: source.fullName, target: target.fullName })}
                      onOpen={setOpened}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {opened ? (
        <PairDialog
          pair={opened}
          source={nameOf(opened.sourceCalendarId)}
          target={nameOf(opened.targetCalendarId)}
          groupRule={draft.rule}
          onClose={() => setOpened(null)}
          onApply={(pair) => {
            onChange(withPair(draft, pair));
            setOpened(null);
          }}
        />
      ) : null}
    </div>
  );
}

function PairCell({
  pair,
  shown,
  name,
  onOpen,
}: {
  pair: Pair;
  shown: Shown;
  name: string;
  onOpen: (pair: Pair) => void;
}) {
  const { t } = useTranslation();
  const differs = Object.keys(pair.rule).length;
  return (
    <button
      type="button"
      className={styles.cell}
      data-off={pair.enabled ? undefined : true}
      onClick={() => onOpen(pair)}
    >
      <span>{pair.enabled ? t(`sync.shown.${shown}`) : t('sync.matrix.off')}</span>
      <span className={styles.note}>
        {differs === 0 ? t('sync.matrix.default') : t('sync.matrix.differs', { count: differs })}
      </span>
      <span className="hf-sr-only">, {name}</span>
    </button>
  );
}
