import { useTranslation } from 'react-i18next';
import { DateField, MomentField } from '#ui/dates/when-field.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import styles from './hold-dialog.module.css';
import type { HoldDraft } from './hold-draft.ts';

const hardenChoices = [60, 240, 1_440, 2_880, 10_080];

export interface HoldFieldsProps {
  draft: HoldDraft;
  calendars: readonly { id: string; name: string; email: string }[];
  isNew: boolean;
  ranks: Record<HoldDraft['rank'], string>;
  beforeWords: (minutes: number) => string;
  onChange: (draft: HoldDraft) => void;
}

export function HoldFields({ draft, calendars, isNew, ranks, beforeWords, onChange }: HoldFieldsProps) {
  const { t } = useTranslation();
  const set = (part: Partial<HoldDraft>) => onChange({ ...draft, ...part });
  const choices = [...new Set([...hardenChoices, ...(draft.harden === '' ? [] : [Number(draft.harden)])])];
  return (
    <>
      <TextField
        label={t('holds.title')}
        value={draft.title}
        maxLength={1_000}
        required
        data-autofocus
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <MomentField
          label={t('holds.start')}
          value={draft.start}
          required
          onValue={(start) => {
            // the end moves along on the clock of the wall
            const length = Temporal.PlainDateTime.from(draft.start || start).until(draft.end || start);
            const end =
              start === '' ? draft.end : Temporal.PlainDateTime.from(start).add(length).toString().slice(0, 16);
            set({ start, end });
          }}
        />
        <MomentField
          label={t('holds.end')}
          value={draft.end}
          min={draft.start}
          required
          error={draft.end !== '' && draft.end <= draft.start ? t('holds.backwards') : undefined}
          onValue={(value) => set({ end: value })}
        />
      </div>
      {isNew ? (
        <SelectField
          label={t('holds.calendar')}
          value={draft.calendarId}
          data={calendars.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
          onChange={(event) => set({ calendarId: event.currentTarget.value })}
        />
      ) : null}
      <SelectField
        label={t('holds.rankLabel')}
        description={t('holds.rankText')}
        value={String(draft.rank)}
        data={([1, 2, 3, 4] as const).map((rank) => ({ value: String(rank), label: ranks[rank] }))}
        onChange={(event) => set({ rank: Number(event.currentTarget.value) as HoldDraft['rank'] })}
      />
      <SelectField
        label={t('holds.rangeLabel')}
        description={t('holds.rangeText')}
        value={draft.range}
        data={(['none', 'day', 'week', 'days'] as const).map((kind) => ({
          value: kind,
          label: t(`holds.range.${kind}`),
        }))}
        onChange={(event) => set({ range: event.currentTarget.value as HoldDraft['range'] })}
      />
      {draft.range === 'days' ? (
        <div className={styles.pair}>
          <DateField
            label={t('holds.first')}
            value={draft.first}
            required
            onValue={(value) => set({ first: value || draft.first })}
          />
          <DateField
            label={t('holds.last')}
            value={draft.last}
            min={draft.first}
            required
            onValue={(value) => set({ last: value || draft.last })}
          />
        </div>
      ) : null}
      <div className={styles.pair}>
        <MomentField
          label={t('holds.expires')}
          description={t('holds.expiresText')}
          value={draft.expires}
          onValue={(value) => set({ expires: value })}
        />
        <SelectField
          label={t('holds.harden')}
          description={t('holds.hardenText')}
          value={draft.harden}
          data={[
            { value: '', label: t('holds.never') },
            ...choices
              .toSorted((one, other) => one - other)
              .map((minutes) => ({ value: String(minutes), label: beforeWords(minutes) })),
          ]}
          onChange={(event) => set({ harden: event.currentTarget.value })}
        />
      </div>
    </>
  );
}
