import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hours } from '#features/availability/rules/hours.ts';
import { ApiError } from '#kernel/contract-client.ts';
import { Banner } from '#ui/banner.tsx';
import { ActionButton, Button } from '#ui/button.tsx';
import { useErrorText } from '#ui/error-state.tsx';
import { Panel } from '#ui/page.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { DateOverrides } from './date-overrides.tsx';
import { chips, DayChip } from './day-chip.tsx';
import { type Base, faultsOf, isSame } from './hours-draft.ts';
import styles from './hours-editor.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { useCreatePolicy, useFetchAvailability, useSavePolicy } from './queries.ts';
import { WeeklyHours } from './weekly-hours.tsx';
import { ZoneSelect } from './zone-select.tsx';

// Opened by a press: the page does not wait for them.
const NameDialog = lazy(async () => ({ default: (await import('./name-dialog.tsx')).NameDialog }));
const StaleDialog = lazy(async () => ({ default: (await import('./stale-dialog.tsx')).StaleDialog }));

export interface HoursEditorProps {
  /** As the server has it now. */
  latest: Base;
  active: boolean;
  onDirty: (dirty: boolean) => void;
}

interface Draft {
  /** The saved hours that the draft started from. */
  base: Base;
  name: string;
  hours: Hours;
}

const draftOf = (base: Base): Draft => ({ base, name: base.name, hours: base.hours });

/**
 * Zone, weekly hours and overrides of one policy. Unchanged fields follow the server; changed ones wait to be saved.
 */
export function HoursEditor({ latest, active, onDirty }: HoursEditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [changed, setChanged] = useState<Draft | null>(null);
  const [note, setNote] = useState('');
  const [naming, setNaming] = useState(false);
  const [stale, setStale] = useState(false);
  const create = useCreatePolicy();
  const save = useSavePolicy();
  const fetchLatest = useFetchAvailability();

  const draft = changed ?? draftOf(latest);
  const dirty = changed !== null && (changed.name !== changed.base.name || !isSame(changed.hours, changed.base.hours));
  const faults = faultsOf(draft.hours);
  const mutation = latest.policyId === null ? create : save;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);

  const set = (part: Partial<Pick<Draft, 'name' | 'hours'>>) => {
    mutation.reset();
    setChanged({ ...draft, ...part });
  };
  const setHours = (part: Partial<Hours>) => set({ hours: { ...draft.hours, ...part } });
  const discard = () => {
    setChanged(null);
    setNote('');
  };
  // said beside the page: the first save makes this form another one
  const done = () => {
    discard();
    showToast({ subject: 'hours', state: 'ok', message: t('availability.saved') });
  };
  const onRefused = (error: Error) => {
    if (!(error instanceof ApiError) || error.code !== 'STALE') return;
    void fetchLatest().then(() => setStale(true));
  };
  /** `version`: the one that is knowingly followed. */
  const saveOver = (policyId: string, version: number) =>
    save.mutate(
      { policyId, version, name: draft.name.trim(), hours: draft.hours, note },
      { onSuccess: done, onError: onRefused },
    );
  /** A refusal stays in the mutation. Its callbacks would not be called: once there is a policy, another form stands here. */
  const saveFirst = () =>
    create
      .mutateAsync({ name: t('availability.firstName'), hours: draft.hours, note, apply: true })
      .then(done, () => undefined);
  const onSave = () => {
    const { policyId, version } = draft.base;
    if (policyId !== null) saveOver(policyId, version);
    else void saveFirst();
  };

  const who =
    latest.policyId === null
      ? t('availability.editing.none')
      : active
        ? t('availability.editing.active', { name: latest.name, version: latest.version })
        : t('availability.editing.other', { name: latest.name, version: latest.version });
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        if (faults.size === 0) onSave();
      }}
    >
      <Panel title={t('availability.editing.title')} text={who}>
        <div className={styles.head}>
          {latest.policyId === null ? null : (
            <TextField
              label={t('availability.policies.name')}
              value={draft.name}
              maxLength={80}
              required
              onChange={(event) => set({ name: event.currentTarget.value })}
            />
          )}
          <ZoneSelect
            label={t('availability.zone.label')}
            zone={draft.hours.timezone}
            onZone={(timezone) => setHours({ timezone })}
          />
        </div>
      </Panel>
      <Panel title={t('availability.weekly.title')} text={t('availability.weekly.text')} flush>
        <WeeklyHours hours={draft.hours} faults={faults} onChange={(weekly) => setHours({ weekly })} />
        <div className={styles.legend}>
          <h3>{t('availability.statusTitle')}</h3>
          {chips.map((chip) => (
            <DayChip key={chip} chip={chip} />
          ))}
        </div>
      </Panel>
      <DateOverrides overrides={draft.hours.overrides} onChange={(overrides) => setHours({ overrides })} />
      {mutation.error && !stale ? (
        <Banner state="bad" role="alert">
          {errorText(mutation.error)}
        </Banner>
      ) : null}
      <div className={styles.save}>
        <ActionButton
          pending={mutation.isPending}
          pendingLabel={t('availability.saving')}
          disabled={faults.size > 0 || (!dirty && latest.policyId !== null)}
        >
          {t('availability.save')}
        </ActionButton>
        {latest.policyId === null ? null : (
          <Button variant="default" onClick={() => setNaming(true)} disabled={faults.size > 0}>
            {t('availability.saveAs')}
          </Button>
        )}
        {dirty ? (
          <>
            <Button variant="subtle" onClick={discard}>
              {t('availability.discard')}
            </Button>
            <span className={styles.dirty}>{t('availability.unsaved')}</span>
          </>
        ) : null}
      </div>
      {dirty && latest.policyId !== null ? (
        <TextField
          className={styles.note}
          label={t('availability.note')}
          value={note}
          maxLength={200}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      ) : null}
      <LeaveGuard dirty={dirty} />
      <Suspense>
        {naming ? (
          <NameDialog
            onClose={() => setNaming(false)}
            onName={(name) => create.mutateAsync({ name, hours: draft.hours, note, apply: false }).then(done)}
          />
        ) : null}
        {stale && latest.policyId !== null ? (
          <StaleDialog
            mine={draft.hours}
            theirs={latest}
            pending={save.isPending}
            onMine={() => {
              setStale(false);
              saveOver(latest.policyId ?? '', latest.version);
            }}
            onTheirs={() => {
              setStale(false);
              save.reset();
              discard();
            }}
            onClose={() => setStale(false)}
          />
        ) : null}
      </Suspense>
    </form>
  );
}
