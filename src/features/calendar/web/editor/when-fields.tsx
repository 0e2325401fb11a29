import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadZone } from '#kernel/time/zones.ts';
import { Checkbox } from '#ui/choice.tsx';
import { nowMs } from '#ui/clock.ts';
import { DateField, MomentField } from '#ui/dates/when-field.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField } from '#ui/text-field.tsx';
import { fullTime } from '../event-time.ts';
import { listZones } from '../find-zones.ts';
import { offsetLabel, timeLabels, zoneLabel } from '../time-labels.ts';
import { type DraftProblem, type EventDraft, spanOf, withAllDay, withStart } from './event-draft.ts';
import styles from './event-form.module.css';

/** When an event is: its start and end on the clock of its zone, or whole days. */
export function WhenFields({
  draft,
  onChange,
  problems,
}: {
  draft: EventDraft;
  onChange: (draft: EventDraft) => void;
  /** Problems to show now. */
  problems: readonly DraftProblem[];
}) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const [choosesZone, setChoosesZone] = useState(false);
  const { allDay } = draft;
  const near = `${preferences.zone} ${draft.zone}`;
  const zones = useMemo(
    () => (choosesZone ? listZones([...new Set(near.split(' '))], nowMs()) : []),
    [choosesZone, near],
  );
  const Field = allDay ? DateField : MomentField;
  const shown = (text: string) => (allDay ? text.slice(0, 10) : text);
  // A field for dates keeps the hours that stood there.
  const typed = (text: string, before: string) => (allDay && text !== '' ? `${text}T${before.slice(11)}` : text);
  const ownTime = ownTimeOf(draft, preferences);
  return (
    <>
      <div className={styles.pair} data-wide={!allDay || undefined}>
        <Field
          label={t('editor.start')}
          value={shown(draft.start)}
          error={problems.includes('start') ? t('editor.problem.start') : undefined}
          onValue={(value) => onChange(withStart(draft, typed(value, draft.start)))}
        />
        <Field
          label={t('editor.end')}
          value={shown(draft.end)}
          min={shown(draft.start)}
          error={problems.includes('end') ? t('editor.problem.end') : undefined}
          onValue={(value) => onChange({ ...draft, end: typed(value, draft.end) })}
        />
      </div>
      <div className={styles.row}>
        <Checkbox
          label={t('editor.allDay')}
          checked={allDay}
          onChange={(event) => onChange(withAllDay(draft, event.currentTarget.checked))}
        />
        {allDay || choosesZone ? null : (
          <button type="button" className={styles.link} onClick={() => setChoosesZone(true)}>
            <span className="hf-sr-only">{t('editor.changeZone')} </span>
            {zoneLabel(draft.zone)}
          </button>
        )}
      </div>
      {choosesZone && !allDay ? (
        <SelectField
          label={t('editor.zone')}
          value={draft.zone}
          data={zones}
          onChange={(event) => onChange({ ...draft, zone: event.currentTarget.value })}
        />
      ) : null}
      {ownTime === null ? null : <p className={styles.hint}>{t('editor.ownTime', ownTime)}</p>}
    </>
  );
}

/** The same time on the person's own clock, where the event has another zone. */
function ownTimeOf(draft: EventDraft, preferences: ReturnType<typeof usePreferences>) {
  const own = loadZone(preferences.zone);
  const span = draft.allDay || draft.zone === preferences.zone ? null : spanOf(draft);
  if (own === null || span === null) return null;
  const time = fullTime({ ...span, allDay: undefined }, own, timeLabels(preferences), '');
  return { time, zone: `${zoneLabel(own.id)}, ${offsetLabel(own, span.startMs)}` };
}
