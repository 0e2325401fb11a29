import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MirrorRule, MirrorRulePatch } from '#features/sync/rules/mirror-rule.ts';
import { Switch } from '#ui/switch.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { showing, shownIn } from './group-draft.ts';
import { HoursField } from './hours-field.tsx';
import { KeywordsField } from './keywords-field.tsx';
import styles from './rule-fields.module.css';

export interface RuleFieldsProps {
  /** The rule in force: this patch over what it inherits. */
  effective: MirrorRule;
  patch: MirrorRulePatch;
  /** Where an untouched field comes from, e.g. "Default". */
  inheritedName: string;
  disabled?: boolean;
  onChange: (patch: MirrorRulePatch) => void;
}

/** Fields that most people never touch. */
const further: readonly (keyof MirrorRule)[] = [
  'hours',
  'includeKeywords',
  'excludeKeywords',
  'pastDays',
  'futureDays',
  'kind',
  'onUserEdit',
  'color',
  'skipIfTargetInvited',
];

/** Every part of a mirror rule. Touching a field makes it this rule's own; "Use …" gives it back. */
export function RuleFields({ effective, patch, inheritedName, disabled = false, onChange }: RuleFieldsProps) {
  const { t } = useTranslation();
  const set = <K extends keyof MirrorRule>(key: K, value: MirrorRule[K]) => onChange({ ...patch, [key]: value });
  const giveBack = (keys: readonly (keyof MirrorRule)[]) =>
    onChange(Object.fromEntries(Object.entries(patch).filter(([key]) => !keys.includes(key as keyof MirrorRule))));
  const [ownsMore] = useState(() => further.some((key) => patch[key] !== undefined));
  const own = (...keys: (keyof MirrorRule)[]) =>
    keys.some((key) => patch[key] !== undefined) ? (
      <button type="button" className={styles.back} onClick={() => giveBack(keys)}>
        {t('sync.rule.giveBack', { name: inheritedName })}
      </button>
    ) : null;

  return (
    <fieldset className={styles.fields} disabled={disabled}>
      <legend className="hf-sr-only">{t('sync.rule.title')}</legend>
      <div className={styles.grid}>
        <Part back={own('events')}>
          <SelectField
            label={t('sync.rule.events.label')}
            value={effective.events}
            onChange={(event) => set('events', event.currentTarget.value as MirrorRule['events'])}
            data={[
              { value: 'busy', label: t('sync.rule.events.busy') },
              { value: 'busy-and-soft', label: t('sync.rule.events.soft') },
              { value: 'all', label: t('sync.rule.events.all') },
            ]}
          />
        </Part>
        <Part back={own('privacy', 'titleTemplate')}>
          <SelectField
            label={t('sync.rule.privacy.label')}
            value={effective.privacy}
            onChange={(event) => {
              const privacy = event.currentTarget.value as MirrorRule['privacy'];
              // The usual title says Busy whatever may be shown.
              const isUsual = shownIn({ ...effective, privacy: 'busy' }) === 'busy';
              onChange({ ...patch, ...(isUsual ? showing(privacy) : { privacy }) });
            }}
            data={[
              { value: 'busy', label: t('sync.rule.privacy.busy') },
              { value: 'title', label: t('sync.rule.privacy.title') },
              { value: 'details', label: t('sync.rule.privacy.details') },
            ]}
          />
        </Part>
        <Part back={own('titleTemplate')}>
          <TextField
            label={t('sync.rule.template.label')}
            description={t('sync.rule.template.help', {
              title: '{title}',
              calendar: '{calendar}',
              account: '{account}',
            })}
            maxLength={200}
            value={effective.titleTemplate}
            onChange={(event) => set('titleTemplate', event.currentTarget.value)}
          />
        </Part>
        <Part back={own('allDay')}>
          <SelectField
            label={t('sync.rule.allDay.label')}
            description={t('sync.rule.allDay.help')}
            value={effective.allDay}
            onChange={(event) => set('allDay', event.currentTarget.value as MirrorRule['allDay'])}
            data={[
              { value: 'mirror', label: t('sync.rule.allDay.mirror') },
              { value: 'busy-hours', label: t('sync.rule.allDay.hours') },
              { value: 'skip', label: t('sync.rule.allDay.skip') },
            ]}
          />
        </Part>
      </div>
      <details className={styles.more} open={ownsMore || undefined}>
        <summary>{t('sync.rule.more')}</summary>
        <div className={styles.grid}>
          <Part wide back={own('hours')}>
            <HoursField value={effective.hours} onChange={(hours) => set('hours', hours)} />
          </Part>
          <Part back={own('includeKeywords')}>
            <KeywordsField
              label={t('sync.rule.include.label')}
              help={t('sync.rule.include.help')}
              value={effective.includeKeywords}
              onChange={(words) => set('includeKeywords', words)}
            />
          </Part>
          <Part back={own('excludeKeywords')}>
            <KeywordsField
              label={t('sync.rule.exclude.label')}
              help={t('sync.rule.exclude.help')}
              value={effective.excludeKeywords}
              onChange={(words) => set('excludeKeywords', words)}
            />
          </Part>
          <Part back={own('pastDays')}>
            <DaysField
              label={t('sync.rule.past')}
              min={0}
              max={365}
              value={effective.pastDays}
              onChange={(days) => set('pastDays', days)}
            />
          </Part>
          <Part back={own('futureDays')}>
            <DaysField
              label={t('sync.rule.future')}
              min={1}
              max={730}
              value={effective.futureDays}
              onChange={(days) => set('futureDays', days)}
            />
          </Part>
          <Part back={own('kind')}>
            <SelectField
              label={t('sync.rule.kind.label')}
              value={effective.kind}
              onChange={(event) => set('kind', event.currentTarget.value as MirrorRule['kind'])}
              data={[
                { value: 'default', label: t('sync.rule.kind.default') },
                { value: 'out-of-office', label: t('sync.rule.kind.away') },
              ]}
            />
          </Part>
          <Part back={own('onUserEdit')}>
            <SelectField
              label={t('sync.rule.edit.label')}
              value={effective.onUserEdit}
              onChange={(event) => set('onUserEdit', event.currentTarget.value as MirrorRule['onUserEdit'])}
              data={[
                { value: 'restore', label: t('sync.rule.edit.restore') },
                { value: 'release', label: t('sync.rule.edit.release') },
              ]}
            />
          </Part>
          <Part back={own('color')}>
            <div className={styles.color}>
              <Switch
                label={t('sync.rule.color.own')}
                checked={effective.color !== null}
                onChange={(event) => set('color', event.currentTarget.checked ? '#5e53dd' : null)}
              />
              {effective.color === null ? null : (
                <input
                  type="color"
                  className={styles.swatch}
                  aria-label={t('sync.rule.color.label')}
                  value={effective.color}
                  onChange={(event) => set('color', event.currentTarget.value)}
                />
              )}
            </div>
          </Part>
          <Part back={own('skipIfTargetInvited')}>
            <Switch
              label={t('sync.rule.invited.label')}
              description={t('sync.rule.invited.help')}
              checked={effective.skipIfTargetInvited}
              onChange={(event) => set('skipIfTargetInvited', event.currentTarget.checked)}
            />
          </Part>
        </div>
      </details>
    </fieldset>
  );
}

function Part({ back, wide = false, children }: { back: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.part} data-wide={wide || undefined}>
      {children}
      {back}
    </div>
  );
}

function DaysField({
  label,
  min,
  max,
  value,
  onChange,
}: {
  label: string;
  min: number;
  max: number;
  value: number;
  onChange: (days: number) => void;
}) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="numeric"
      min={min}
      max={max}
      value={value}
      onChange={(event) => {
        const days = event.currentTarget.valueAsNumber;
        if (Number.isInteger(days)) onChange(Math.min(max, Math.max(min, days)));
      }}
    />
  );
}
