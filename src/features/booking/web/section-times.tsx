import { useTranslation } from 'react-i18next';
import { useNowMs } from '#ui/clock.ts';
import { DateField } from '#ui/dates/when-field.tsx';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { lengthText } from './describe-type.ts';
import styles from './fields.module.css';
import { MinutesField } from './minutes-field.tsx';
import { type Settings, usePolicies } from './queries.ts';
import type { SectionProps } from './type-draft.ts';

const steps = [5, 10, 15, 20, 30, 45, 60, 90, 120];
const periods = ['day', 'week', 'month'] as const;

/** When it can be booked: how soon, how far ahead, with what room around it and how often. */
export function SectionTimes({ settings, onChange, errors, isTeam }: SectionProps & { isTeam: boolean }) {
  const { t } = useTranslation();
  const { window: bookable } = settings;
  const nowMs = useNowMs();
  const { zone } = usePreferences();
  const stepChoices = [...new Set([...steps, settings.step_minutes])].sort((one, other) => one - other);
  return (
    <Panel
      title={t('booking.editor.times')}
      text={t(isTeam ? 'booking.editor.timesTextTeam' : 'booking.editor.timesText')}
    >
      <div className={styles.fields}>
        {isTeam ? null : <PolicyField settings={settings} onChange={onChange} errors={errors} />}
        <SelectField
          label={t('booking.field.step')}
          value={String(settings.step_minutes)}
          data={stepChoices.map((one) => ({ value: String(one), label: lengthText(one, t) }))}
          onChange={(event) => onChange({ step_minutes: Number(event.currentTarget.value) })}
        />
        <MinutesField
          label={t('booking.field.notice')}
          value={settings.notice_minutes}
          max={525_600}
          error={errors['settings.notice_minutes']}
          onChange={(notice_minutes) => onChange({ notice_minutes })}
        />
        <MinutesField
          label={t('booking.field.bufferBefore')}
          value={settings.buffer_before_minutes}
          max={1_440}
          error={errors['settings.buffer_before_minutes']}
          onChange={(buffer_before_minutes) => onChange({ buffer_before_minutes })}
        />
        <MinutesField
          label={t('booking.field.bufferAfter')}
          value={settings.buffer_after_minutes}
          max={1_440}
          error={errors['settings.buffer_after_minutes']}
          onChange={(buffer_after_minutes) => onChange({ buffer_after_minutes })}
        />
        <SelectField
          label={t('booking.field.window')}
          value={bookable.kind}
          data={(['rolling', 'fixed'] as const).map((one) => ({ value: one, label: t(`booking.window.${one}`) }))}
          onChange={(event) => {
            const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
            onChange({ window: emptyWindow(event.currentTarget.value as 'rolling' | 'fixed', today) });
          }}
        />
        {bookable.kind === 'rolling' ? (
          <TextField
            type="number"
            inputMode="numeric"
            min={1}
            max={730}
            label={t('booking.field.windowDays')}
            value={String(bookable.days)}
            error={errors['settings.window.days']}
            onChange={(event) => onChange({ window: { ...bookable, days: Number(event.currentTarget.value) } })}
          />
        ) : (
          <span className={styles.row}>
            <DateField
              label={t('booking.field.windowFrom')}
              value={bookable.from}
              max={bookable.to}
              error={errors['settings.window.from']}
              onValue={(value) => onChange({ window: { ...bookable, from: value } })}
            />
            <DateField
              label={t('booking.field.windowTo')}
              value={bookable.to}
              min={bookable.from}
              error={errors['settings.window.to']}
              onValue={(value) => onChange({ window: { ...bookable, to: value } })}
            />
          </span>
        )}
        <Limits settings={settings} onChange={onChange} errors={errors} />
      </div>
    </Panel>
  );
}

function emptyWindow(kind: 'rolling' | 'fixed', today: Temporal.PlainDate): Settings['window'] {
  return kind === 'rolling'
    ? { kind, days: 60 }
    : { kind, from: today.toString(), to: today.add({ days: 30 }).toString() };
}

function Limits({ settings, onChange }: SectionProps) {
  const { t } = useTranslation();
  const { limits } = settings;
  const change = (period: (typeof periods)[number], part: 'count' | 'minutes', typed: string) => {
    const value = Math.round(Number(typed) * (part === 'minutes' ? 60 : 1));
    const ofPeriod = withoutEmpty({ ...limits[period], [part]: value > 0 ? value : undefined });
    onChange({
      limits: withoutEmpty({ ...limits, [period]: Object.keys(ofPeriod).length > 0 ? ofPeriod : undefined }),
    });
  };
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('booking.field.limits')}</legend>
      <p className={styles.hint}>{t('booking.field.limitsHint')}</p>
      <div className={styles.limits}>
        <span />
        <span className={styles.limitHead} aria-hidden>
          {t('booking.field.limitCount')}
        </span>
        <span className={styles.limitHead} aria-hidden>
          {t('booking.field.limitHours')}
        </span>
        {periods.map((period) => {
          const name = t(`booking.period.${period}`);
          const minutes = limits[period]?.minutes;
          return [
            <span key={`${period} name`}>{name}</span>,
            <TextField
              key={`${period} count`}
              type="number"
              inputMode="numeric"
              min={1}
              max={1_000}
              aria-label={`${name}: ${t('booking.field.limitCount')}`}
              value={limits[period]?.count ?? ''}
              onChange={(event) => change(period, 'count', event.currentTarget.value)}
            />,
            <TextField
              key={`${period} hours`}
              type="number"
              inputMode="decimal"
              min={0}
              step={0.5}
              aria-label={`${name}: ${t('booking.field.limitHours')}`}
              value={minutes === undefined ? '' : minutes / 60}
              onChange={(event) => change(period, 'minutes', event.currentTarget.value)}
            />,
          ];
        })}
      </div>
    </fieldset>
  );
}

const withoutEmpty = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Value;

type Policy = Settings['policy'];
type Following = Exclude<Policy, { kind: 'default' }>;

/** The hours: the default as it changes, a saved policy as it changes, or one fixed version. */
function PolicyField({ settings, onChange, errors }: SectionProps) {
  const { t } = useTranslation();
  const { policy } = settings;
  const policies = usePolicies();
  if (policies.length < 2 && policy.kind === 'default') return null;
  const choices: { policy: Policy; label: string }[] = [
    { policy: { kind: 'default' }, label: t('booking.policy.default') },
    ...policies.flatMap(({ policy_id, name, version }) => {
      const policyId = policy_id as Following['policyId'];
      const pinned = policy.kind === 'version' && policy.policyId === policyId ? policy.n : version;
      return [
        { policy: { kind: 'policy' as const, policyId }, label: name },
        {
          policy: { kind: 'version' as const, policyId, n: pinned },
          label: t('booking.policy.version', { name, n: pinned }),
        },
      ];
    }),
  ];
  const keyOf = (one: Policy) => JSON.stringify(one, ['kind', 'policyId', 'n']);
  return (
    <SelectField
      label={t('booking.field.policy')}
      value={keyOf(policy)}
      error={errors['settings.policy']}
      data={choices.map((choice) => ({ value: keyOf(choice.policy), label: choice.label }))}
      onChange={(event) => {
        const chosen = choices.find((choice) => keyOf(choice.policy) === event.currentTarget.value);
        if (chosen) onChange({ policy: chosen.policy });
      }}
    />
  );
}
