import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longestTrialDays, readCode } from '#features/billing/rules.ts';
import { StateBadge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { DataTable, TwoLines } from '#ui/data-table.tsx';
import { DateField } from '#ui/dates/when-field.tsx';
import { formatFigures } from '#ui/format.ts';
import { Panel } from '#ui/page.tsx';
import { usePreferences } from '#ui/preferences.tsx';
import { SelectField, TextField } from '#ui/text-field.tsx';
import { showToast } from '#ui/toasts.tsx';
import { ReasonDialog } from '../reason-dialog.tsx';
import { SectionState } from '../section-state.tsx';
import { useAmounts } from '../use-amounts.ts';
import { type Code, useCodes, useCreateCode, useEndCode } from './billing-queries.ts';
import styles from './billing-section.module.css';

/** Promotion codes with their redemptions, and the form for a new one. */
export function CodesPanel({ currency }: { currency: string }) {
  const { t } = useTranslation();
  const codes = useCodes();
  const [making, setMaking] = useState(false);
  return (
    <SectionState query={codes} failed={t('adminBilling.codes.loadFailed')}>
      {(found) => (
        <Panel
          title={t('adminBilling.codes.title')}
          text={t('adminBilling.codes.text')}
          actions={<Button onClick={() => setMaking(true)}>{t('adminBilling.codes.make')}</Button>}
          flush={found.codes.length > 0}
        >
          {found.codes.length === 0 ? (
            <p className={styles.dim}>{t('adminBilling.codes.none')}</p>
          ) : (
            <CodeTable codes={found.codes} />
          )}
          {making ? <MakeCode currency={currency} onClose={() => setMaking(false)} /> : null}
        </Panel>
      )}
    </SectionState>
  );
}

const badges = { active: 'ok', 'used-up': 'idle', expired: 'idle', ended: 'idle' } as const;

function CodeTable({ codes }: { codes: readonly Code[] }) {
  const { t } = useTranslation();
  const preferences = usePreferences();
  const gives = useGives();
  const end = useEndCode();
  const [ending, setEnding] = useState<Code | null>(null);
  return (
    <>
      <DataTable
        caption={t('adminBilling.codes.title')}
        rows={codes}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'code',
            phone: 'title',
            header: t('adminBilling.codes.code'),
            cell: (code) => <TwoLines first={code.code} second={gives(code)} />,
          },
          {
            key: 'uses',
            phone: 'line',
            header: t('adminBilling.codes.uses'),
            cell: ({ uses, max_uses: most }) => (most === null ? uses : t('adminBilling.codes.usesOf', { uses, most })),
          },
          {
            key: 'expires',
            phone: 'start',
            header: t('adminBilling.codes.expires'),
            cell: ({ expires_at: at }) =>
              at === null ? t('adminBilling.codes.never') : formatFigures(at, preferences),
          },
          {
            key: 'state',
            phone: 'aside',
            header: t('adminBilling.state'),
            cell: ({ state }) => (
              <StateBadge state={badges[state]}>{t(`adminBilling.codes.state.${state}`)}</StateBadge>
            ),
          },
          {
            key: 'end',
            phone: 'actions',
            header: t('adminBilling.codes.end'),
            cell: (code) =>
              code.state === 'ended' ? null : (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={t('adminBilling.codes.endOf', { code: code.code })}
                  onClick={() => {
                    end.reset();
                    setEnding(code);
                  }}
                >
                  {t('adminBilling.codes.end')}
                </Button>
              ),
          },
        ]}
      />
      {ending === null ? null : (
        <ReasonDialog
          opened
          destructive
          title={t('adminBilling.codes.endQuestion', { code: ending.code })}
          confirmLabel={t('adminBilling.codes.end')}
          pending={end.isPending}
          error={end.error}
          onClose={() => setEnding(null)}
          onConfirm={(reason) =>
            end.mutate(
              { code_id: ending.id, reason },
              {
                onSuccess: () => {
                  setEnding(null);
                  showToast({
                    subject: 'code',
                    state: 'ok',
                    message: t('adminBilling.codes.endedNow', { code: ending.code }),
                  });
                },
              },
            )
          }
        >
          <p>{t('adminBilling.codes.endText')}</p>
        </ReasonDialog>
      )}
    </>
  );
}

function useGives(): (code: Code) => string {
  const { t } = useTranslation();
  const { money } = useAmounts();
  return ({ percent, amount, currency, months, extra_days: days }) => {
    const off =
      percent !== null
        ? t('adminBilling.codes.percentOff', { percent })
        : amount !== null && currency !== null
          ? t('adminBilling.codes.amountOff', { amount: money(amount, currency) })
          : null;
    const time =
      months === null ? t('adminBilling.codes.forGood') : t('adminBilling.codes.forMonths', { count: months });
    return [
      ...(off === null ? [] : [`${off}, ${time}`]),
      ...(days === null ? [] : [t('adminBilling.codes.extraDays', { count: days })]),
    ].join(' · ');
  };
}

/** A whole number in a field; null: empty, undefined: none. */
function readWhole(typed: string, most: number): number | null | undefined {
  if (typed.trim() === '') return null;
  const value = Number(typed);
  return /^\d+$/.test(typed.trim()) && value >= 1 && value <= most ? value : undefined;
}

function MakeCode({ currency, onClose }: { currency: string; onClose: () => void }) {
  const { t } = useTranslation();
  const { zone } = usePreferences();
  const { digitsOf } = useAmounts();
  const create = useCreateCode();
  const [code, setCode] = useState('');
  const [kind, setKind] = useState<'percent' | 'amount' | 'none'>('percent');
  const [off, setOff] = useState('');
  const [months, setMonths] = useState('1');
  const [days, setDays] = useState('15');
  const [uses, setUses] = useState('');
  const [until, setUntil] = useState('');
  const unit = 10 ** digitsOf(currency);
  const amount = /^\d+([.,]\d+)?$/.test(off.trim()) ? Math.round(Number(off.replace(',', '.')) * unit) : undefined;
  const given = {
    percent: kind === 'percent' ? readWhole(off, 100) : null,
    amount: kind === 'amount' ? amount : null,
    months: kind === 'none' ? null : readWhole(months, 36),
    extra_days: readWhole(days, longestTrialDays),
    max_uses: readWhole(uses, 1_000_000),
  };
  const { percent, amount: taken, months: time, extra_days: extra, max_uses: most } = given;
  const isOff =
    kind === 'none' || (kind === 'percent' ? percent != null : taken !== undefined && taken !== null && taken > 0);
  const isWhole =
    /^[A-Z0-9][A-Z0-9-]{3,39}$/.test(readCode(code)) &&
    isOff &&
    time !== undefined &&
    extra !== undefined &&
    most !== undefined &&
    (kind !== 'none' || extra !== null);
  return (
    <ReasonDialog
      opened
      title={t('adminBilling.codes.make')}
      confirmLabel={t('adminBilling.codes.create')}
      blocked={!isWhole}
      pending={create.isPending}
      error={create.error}
      onClose={onClose}
      onConfirm={(reason) => {
        if (
          percent === undefined ||
          taken === undefined ||
          time === undefined ||
          extra === undefined ||
          most === undefined
        )
          return;
        const expires_at =
          until === '' ? null : Temporal.PlainDate.from(until).add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
        create.mutate(
          { code, percent, amount: taken, months: time, extra_days: extra, max_uses: most, expires_at, reason },
          {
            onSuccess: () => {
              onClose();
              showToast({
                subject: 'code',
                state: 'ok',
                message: t('adminBilling.codes.made', { code: readCode(code) }),
              });
            },
          },
        );
      }}
    >
      <TextField
        label={t('adminBilling.codes.code')}
        description={t('adminBilling.codes.codeText')}
        maxLength={40}
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className={styles.limits}>
        <SelectField
          label={t('adminBilling.codes.money')}
          value={kind}
          data={(['percent', 'amount', 'none'] as const).map((value) => ({
            value,
            label: t(`adminBilling.codes.kind.${value}`),
          }))}
          onChange={(event) => setKind(event.currentTarget.value as typeof kind)}
        />
        {kind === 'none' ? null : (
          <>
            <TextField
              label={
                kind === 'percent'
                  ? t('adminBilling.codes.percent')
                  : t('adminBilling.codes.amountIn', { currency: currency.toUpperCase() })
              }
              inputMode="decimal"
              error={off !== '' && !isOff}
              value={off}
              onChange={(event) => setOff(event.currentTarget.value)}
            />
            <TextField
              label={t('adminBilling.codes.months')}
              description={t('adminBilling.codes.monthsText')}
              inputMode="numeric"
              error={time === undefined}
              value={months}
              onChange={(event) => setMonths(event.currentTarget.value)}
            />
          </>
        )}
        <TextField
          label={t('adminBilling.codes.days')}
          description={t('adminBilling.codes.daysText')}
          inputMode="numeric"
          error={extra === undefined}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <TextField
          label={t('adminBilling.codes.most')}
          description={t('adminBilling.codes.mostText')}
          inputMode="numeric"
          error={most === undefined}
          value={uses}
          onChange={(event) => setUses(event.currentTarget.value)}
        />
        <DateField
          label={t('adminBilling.codes.until')}
          description={t('adminBilling.codes.untilText')}
          value={until}
          onValue={setUntil}
        />
      </div>
    </ReasonDialog>
  );
}
