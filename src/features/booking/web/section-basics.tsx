import { IconCheck, IconX } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextField } from '#ui/text-field.tsx';
import { lengthText } from './describe-type.ts';
import styles from './fields.module.css';
import { LocationFields } from './location-fields.tsx';
import type { EventType } from './queries.ts';
import type { SectionProps, TypeDraft } from './type-draft.ts';

const colors = ['#5e53dd', '#1a73e8', '#0b8043', '#0ca678', '#c2410c', '#d1153b', '#9333ea', '#5b7083'];
const mostDurations = 8;

/** Name, length and place. */
export function SectionBasics({
  teamId,
  draft,
  base,
  onDraft,
  ...section
}: SectionProps & {
  teamId: EventType['team_id'];
  draft: TypeDraft;
  base: string;
  onDraft: (patch: Partial<TypeDraft>) => void;
}) {
  const { t } = useTranslation();
  const { settings, onChange, errors } = section;
  const name = useId();
  return (
    <Panel title={t('booking.editor.basics')}>
      <div className={styles.fields}>
        <TextField
          label={t('booking.field.title')}
          required
          maxLength={120}
          value={draft.title}
          error={draft.title.trim() === '' ? t('booking.field.titleMissing') : errors.title}
          onChange={(event) => onDraft({ title: event.currentTarget.value })}
        />
        <TextField
          label={t('booking.field.slug')}
          description={`${base}${draft.slug}`}
          required
          maxLength={64}
          spellCheck={false}
          autoCapitalize="none"
          value={draft.slug}
          error={errors.slug}
          onChange={(event) => onDraft({ slug: event.currentTarget.value.toLowerCase().replaceAll(' ', '-') })}
        />
        <TextArea
          className={styles.whole}
          label={t('booking.field.description')}
          description={t('booking.field.descriptionHint')}
          maxLength={5_000}
          value={draft.description}
          onChange={(event) => onDraft({ description: event.currentTarget.value })}
        />
        <Durations {...section} />
        <LocationFields {...section} teamId={teamId} hostIds={draft.hosts?.map((host) => host.user_id) ?? []} />
        <fieldset className={styles.group}>
          <legend className={styles.legend}>{t('booking.field.color')}</legend>
          <div className={styles.colors}>
            {[...new Set([...colors, settings.color])].map((color) => (
              <label key={color} className={styles.swatch} style={{ background: color }}>
                <input
                  type="radio"
                  name={name}
                  className="hf-sr-only"
                  aria-label={color}
                  checked={settings.color === color}
                  onChange={() => onChange({ color })}
                />
                {settings.color === color ? <IconCheck size={16} stroke={2.4} aria-hidden /> : null}
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </Panel>
  );
}

function Durations({ settings, onChange, errors }: SectionProps) {
  const { t } = useTranslation();
  const { durations_minutes: durations } = settings;
  const [typed, setTyped] = useState('');
  const minutes = Number(typed);
  const fits = Number.isInteger(minutes) && minutes >= 5 && minutes <= 1_440 && !durations.includes(minutes);
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('booking.field.durations')}</legend>
      <p className={styles.hint}>{t('booking.field.durationsHint')}</p>
      <div className={styles.row}>
        {durations.map((one, index) => (
          <span key={one} className={styles.chip}>
            {index === 0 ? <strong>{lengthText(one, t)}</strong> : lengthText(one, t)}
            {index === 0 ? null : (
              <IconButton
                size={26}
                label={t('booking.field.firstDuration', { length: lengthText(one, t) })}
                onClick={() => onChange({ durations_minutes: [one, ...durations.filter((other) => other !== one)] })}
              >
                <IconCheck size={14} aria-hidden />
              </IconButton>
            )}
            {durations.length === 1 ? null : (
              <IconButton
                size={26}
                label={t('booking.field.removeDuration', { length: lengthText(one, t) })}
                onClick={() => onChange({ durations_minutes: durations.filter((other) => other !== one) })}
              >
                <IconX size={14} aria-hidden />
              </IconButton>
            )}
          </span>
        ))}
      </div>
      {durations.length < mostDurations ? (
        <div className={styles.row}>
          <TextField
            type="number"
            inputMode="numeric"
            min={5}
            max={1_440}
            aria-label={t('booking.field.newDuration')}
            placeholder={t('booking.field.newDuration')}
            value={typed}
            error={errors['settings.durations_minutes']}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button
            type="button"
            variant="default"
            disabled={!fits}
            onClick={() => {
              onChange({ durations_minutes: [...durations, minutes] });
              setTyped('');
            }}
          >
            {t('booking.field.addDuration')}
          </Button>
        </div>
      ) : null}
    </fieldset>
  );
}
