import { useTranslation } from 'react-i18next';
import type { ActionKind } from '#features/workflows/rules/action.ts';
import { actionOf } from '#features/workflows/rules/credential.ts';
import { SelectField } from '#ui/text-field.tsx';
import { type Credential, useCredentials } from './channels/queries.ts';
import { LinkButton } from './workflow-link.tsx';

/** Accounts that an action of this kind can go through. */
export function useAccountsFor(kind: ActionKind): Credential[] {
  return (useCredentials().data?.credentials ?? []).filter((one) => actionOf[one.kind] === kind);
}

/** Which account it goes through; the way to connect one where there is none. */
export function AccountField({
  kind,
  value,
  error,
  onChange,
}: {
  kind: ActionKind;
  value: string;
  error?: string | undefined;
  onChange: (id: Credential['id']) => void;
}) {
  const { t } = useTranslation();
  const accounts = useAccountsFor(kind);
  if (accounts.length === 0)
    return (
      <div>
        <p>{error ?? t('workflows.account.none')}</p>
        <LinkButton to="/workflows/connections" variant="default" size="xs">
          {t('workflows.account.connect')}
        </LinkButton>
      </div>
    );
  return (
    <SelectField
      label={t('workflows.account.label')}
      value={value}
      error={error}
      data={[
        ...(accounts.some(({ id }) => id === value) ? [] : [{ value, label: t('workflows.account.choose') }]),
        ...accounts.map(({ id, label, detail }) => ({
          value: id,
          label: detail === '' ? label : `${label} (${detail})`,
        })),
      ]}
      onChange={(event) => onChange(event.currentTarget.value as Credential['id'])}
    />
  );
}
