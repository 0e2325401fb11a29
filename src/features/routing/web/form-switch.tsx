import { useTranslation } from 'react-i18next';
import { useErrorText } from '#ui/error-state.tsx';
import { Switch } from '#ui/switch.tsx';
import { showToast } from '#ui/toasts.tsx';
import { type Form, useSwitchForm } from './queries.ts';

/** Whether its page takes answers; `isNamed` where no badge beside it says so. */
export function FormSwitch({ form: { id, name, active }, isNamed = false }: { form: Form; isNamed?: boolean }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const change = useSwitchForm();
  return (
    <Switch
      aria-label={t('routing.switch', { name })}
      label={isNamed ? (active ? t('routing.active') : t('routing.inactive')) : undefined}
      checked={active}
      onChange={(event) =>
        change.mutate(
          { id, active: event.currentTarget.checked },
          { onError: (error) => showToast({ subject: `form ${id}`, state: 'bad', message: errorText(error) }) },
        )
      }
    />
  );
}
