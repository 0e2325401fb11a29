import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mirrorRuleOf } from '#features/sync/rules/mirror-rule.ts';
import { underSettings } from '#features/sync/rules/sync-settings.ts';
import { Tag } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { ColorMark } from '#ui/provider-mark.tsx';
import { Switch } from '#ui/switch.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { calendarName } from './calendar-label.tsx';
import { type GroupDraft, type Pair, type Shown, showing, shownIn, withPair } from './group-draft.ts';
import { PairDialog } from './pair-dialog.tsx';
import styles from './pair-list.module.css';
import { type NamedCalendar, useSettings } from './queries.ts';

export interface PairListProps {
  draft: GroupDraft;
  pairs: Pair[];
  calendars: NamedCalendar[];
  /** How many blocks a pair has once the draft is saved; null while they are counted. */
  countOf: (pair: Pair) => number | null;
  onChange: (draft: GroupDraft) => void;
}

const mostAtFirst = 12;

/** One sentence for each pair: which time blocks what, and how it looks there. */
export function PairList({ draft, pairs, calendars, countOf, onChange }: PairListProps) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const [opened, setOpened] = useState<Pair | null>(null);
  const nameOf = (calendarId: string) => calendarName(calendars, calendarId, t('sync.unknownCalendar'));
  const listed = all || pairs.length <= mostAtFirst + 2 ? pairs : pairs.slice(0, mostAtFirst);
  return (
    <>
      <ul className={styles.pairs}>
        {listed.map((pair) => (
          <PairSentence
            key={`${pair.sourceCalendarId} ${pair.targetCalendarId}`}
            pair={pair}
            draft={draft}
            calendars={calendars}
            count={countOf(pair)}
            onOpen={() => setOpened(pair)}
            onChange={(changed) => onChange(withPair(draft, changed))}
          />
        ))}
      </ul>
      {listed.length < pairs.length ? (
        <div className={styles.all}>
          <Button variant="subtle" size="xs" onClick={() => setAll(true)}>
            {t('sync.sentence.all', { count: pairs.length })}
          </Button>
        </div>
      ) : null}
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
    </>
  );
}

interface PairSentenceProps {
  pair: Pair;
  draft: GroupDraft;
  calendars: NamedCalendar[];
  count: number | null;
  onOpen: () => void;
  onChange: (pair: Pair) => void;
}

function PairSentence({ pair, draft, calendars, count, onOpen, onChange }: PairSentenceProps) {
  const { t } = useTranslation();
  const settings = useSettings();
  const inherited = underSettings(settings, draft.rule);
  const shown = shownIn(mirrorRuleOf(inherited, pair.rule));
  const calendarOf = (calendarId: string) => calendars.find((one) => one.calendarId === calendarId);
  const source = calendarOf(pair.sourceCalendarId);
  const target = calendarOf(pair.targetCalendarId);
  const names = {
    source: source?.fullName ?? t('sync.unknownCalendar'),
    target: target?.fullName ?? t('sync.unknownCalendar'),
  };
  const chips: Record<string, { name: string; calendar: NamedCalendar | undefined }> = {
    '\n1': { name: names.source, calendar: source },
    '\n2': { name: names.target, calendar: target },
  };

  const show = (wanted: Shown) => {
    if (wanted === 'own') return onOpen();
    const { privacy: _privacy, titleTemplate: _template, ...others } = pair.rule;
    const isInherited = shownIn(mirrorRuleOf(inherited)) === wanted;
    onChange({ ...pair, rule: isInherited ? others : { ...others, ...showing(wanted) } });
  };
  return (
    <li className={styles.pair} data-off={pair.enabled ? undefined : true}>
      <Switch
        aria-label={t('sync.pair.enabled', names)}
        checked={pair.enabled}
        onChange={(event) => onChange({ ...pair, enabled: event.currentTarget.checked })}
      />
      <div className={styles.words}>
        <p className={styles.sentence}>
          {t('sync.sentence.text', { source: '\n1', target: '\n2' })
            .split(/(\n\d)/)
            .map((part) => {
              const chip = chips[part];
              return chip ? (
                <span key={part} className={styles.calendar} title={[chip.name, chip.calendar?.account].join(', ')}>
                  {chip.calendar ? <ColorMark color={chip.calendar.color} /> : null}
                  <bdi>{chip.name}</bdi>
                  {chip.calendar?.removed ? <Tag>{t('sync.members.removed')}</Tag> : null}
                </span>
              ) : (
                <Fragment key={part}>{part}</Fragment>
              );
            })}
        </p>
        <span className={styles.shown}>
          <span aria-hidden>{t('sync.sentence.shown')}</span>
          <SelectField
            aria-label={t('sync.sentence.shownOf', names)}
            disabled={!pair.enabled}
            value={shown}
            onChange={(event) => show(event.currentTarget.value as Shown)}
            data={(['busy', 'title', 'details', 'own'] as const).map((value) => ({
              value,
              label: t(`sync.shown.${value}`),
            }))}
          />
        </span>
      </div>
      <span className={styles.count}>{pair.enabled && count !== null ? t('sync.sentence.blocks', { count }) : ''}</span>
      <IconButton label={t('sync.sentence.rules', names)} onClick={onOpen}>
        <IconAdjustmentsHorizontal size={18} stroke={1.7} aria-hidden />
      </IconButton>
    </li>
  );
}
