import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Switch } from '#ui/switch.tsx';
import { TextArea } from '#ui/text-area.tsx';
import { TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { type Plan, type PlanChange, useChangePlan } from './billing-queries.ts';
import styles from './billing-section.module.css';

const limits = ['calendars', 'teams', 'workflows', 'history_days'] as const;
type Limit = (typeof limits)[number];

const digitsOf = ({ currency }: Plan) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** Everything of a plan that can be changed; an empty limit is none. */
export function PlanDialog({ plan, onClose }: { plan: Plan; onClose: () => void }) {
  const { t } = useTranslation();
  const change = useChangePlan();
  const unit = 10 ** digitsOf(plan);
  const isTrial = plan.trialDays !== null;
  const [name, setName] = useState(plan.name);
  const [price, setPrice] = useState(String(plan.amount / unit));
  const [days, setDays] = useState(String(plan.trialDays ?? ''));
  const [features, setFeatures] = useState(plan.features.join('\n'));
  const [active, setActive] = useState(plan.active);
  const [popular, setPopular] = useState(plan.mostPopular);
  const [typed, setTyped] = useState<Record<Limit, string>>({
    calendars: String(plan.limits.calendars ?? ''),
    teams: String(plan.limits.teams ?? ''),
    workflows: String(plan.limits.workflows ?? ''),
    history_days: String(plan.limits.historyDays ?? ''),
  });
  const limitOf = (one: Limit) => (typed[one].trim() === '' ? null : Number(typed[one]));
  const send = (reason: string) => {
    const body: PlanChange = {
      revision: plan.revision,
      name: name.trim(),
      features: features.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()])),
      calendars: limitOf('calendars'),
      teams: limitOf('teams'),
      workflows: limitOf('workflows'),
      history_days: limitOf('history_days'),
      active,
      most_popular: popular,
      ...(isTrial ? { trial_days: Number(days) } : { amount: Math.round(Number(price) * unit) }),
      reason,
    };
    change.mutate(
      { planKey: plan.key, body },
      {
        onSuccess: () => {
          showToast({ subject: 'plan', state: 'ok', message: t('adminBilling.changed', { plan: name.trim() }) });
          onClose();
        },
      },
    );
  };
  return (
    <ReasonDialog
      opened
      title={t('adminBilling.editOf', { plan: plan.name })}
      confirmLabel={t('adminBilling.save')}
      pending={change.isPending}
      error={change.error}
      onClose={onClose}
      onConfirm={send}
    >
      <TextField
        label={t('adminBilling.name')}
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {isTrial ? (
        <TextField
          label={t('adminBilling.trialDays')}
          type="number"
          min={1}
          max={365}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
      ) : (
        <TextField
          label={t('adminBilling.priceIn', { currency: plan.currency.toUpperCase() })}
          description={t('adminBilling.priceText')}
          type="number"
          min={0}
          step="any"
          value={price}
          onChange={(event) => setPrice(event.currentTarget.value)}
        />
      )}
      <div className={styles.limits}>
        {limits.map((one) => (
          <TextField
            key={one}
            label={t(`adminBilling.limit.${one}`)}
            placeholder={t('adminBilling.noLimit')}
            type="number"
            min={one === 'history_days' ? 30 : 0}
            value={typed[one]}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setTyped((before) => ({ ...before, [one]: value }));
            }}
          />
        ))}
      </div>
      <TextArea
        label={t('adminBilling.features')}
        description={t('adminBilling.featuresText')}
        autosize
        minRows={2}
        maxRows={6}
        value={features}
        onChange={(event) => setFeatures(event.currentTarget.value)}
      />
      <Switch
        label={t('adminBilling.onOffer')}
        checked={active}
        onChange={(event) => setActive(event.currentTarget.checked)}
      />
      <Switch
        label={t('adminBilling.mostPopular')}
        checked={popular}
        onChange={(event) => setPopular(event.currentTarget.checked)}
      />
    </ReasonDialog>
  );
}
