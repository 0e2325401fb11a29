import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { Page, Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SkeletonRows } from '#ui/skeleton.tsx';
import styles from './availability-page.module.css';
import { AwayPanel } from './away-panel.tsx';
import { HoldsPanel } from './holds-panel.tsx';
import { HolidaysPanel } from './holidays-panel.tsx';
import { baseOf } from './hours-draft.ts';
import { HoursEditor } from './hours-editor.tsx';
import { MadeHolds } from './made-holds.tsx';
import { type Availability, useAvailability } from './queries.ts';
import { SavedPolicies } from './saved-policies.tsx';
import { StatusLegend } from './status-legend.tsx';

// Problems with bookings follow the hours.
const OutsideHours = lazy(async () => ({ default: (await import('./outside-hours.tsx')).OutsideHours }));

export function AvailabilityPage() {
  const { t } = useTranslation();
  const availability = useAvailability();
  return (
    <Page title={t('availability.title')} subtitle={t('availability.subtitle')}>
      {availability.data ? (
        <Hours availability={availability.data} />
      ) : (
        <Panel flush>
          {availability.error ? (
            <ErrorState
              title={t('availability.loadFailed')}
              error={availability.error}
              onRetry={() => void availability.refetch()}
            />
          ) : (
            <SkeletonRows rows={6} label={t('availability.loading')} />
          )}
        </Panel>
      )}
    </Page>
  );
}

function Hours({ availability }: { availability: Availability }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<string | null>(null);
  const [dirty, setDirty] = useState(false);
  /** The hours to edit next, once the changes are discarded. */
  const [wanted, setWanted] = useState<string | null>(null);
  const profileZone = usePreferences().zone;
  const deviceZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const base = baseOf(availability, chosen, { profileZone, deviceZone });
  return (
    <div className={styles.columns}>
      <div className={styles.main}>
        <Suspense>
          <OutsideHours />
        </Suspense>
        <HoursEditor
          key={base.policyId}
          latest={base}
          active={base.policyId === availability.current.policy_id}
          onDirty={setDirty}
        />
        <SavedPolicies
          availability={availability}
          edited={base.policyId}
          onEdit={(policyId) => {
            if (dirty && policyId !== base.policyId) setWanted(policyId);
            else setChosen(policyId);
          }}
        />
        <StatusLegend />
      </div>
      <div className={styles.side}>
        <AwayPanel kind="off" availability={availability} />
        <HolidaysPanel holidays={availability.holidays} />
        <AwayPanel kind="travel" availability={availability} />
        <MadeHolds />
        <HoldsPanel holds={availability.holds} />
      </div>
      <Dialog
        opened={wanted !== null}
        onClose={() => setWanted(null)}
        title={t('availability.leave.title')}
        size="sm"
        actions={
          <>
            <Button
              variant="default"
              onClick={() => {
                setChosen(wanted);
                setWanted(null);
              }}
            >
              {t('availability.leave.edit')}
            </Button>
            <Button data-autofocus onClick={() => setWanted(null)}>
              {t('availability.leave.stay')}
            </Button>
          </>
        }
      >
        <p>{t('availability.leave.text')}</p>
      </Dialog>
    </div>
  );
}
