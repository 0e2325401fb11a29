import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { sessionEndpoints } from '#features/accounts/rules/session-endpoints.ts';
import type { CallInput } from '#kernel/contract.ts';
import { createClient } from '#kernel/contract-client.ts';
import type { ChangePreferences, PreferencesChange } from '#ui/preferences.tsx';
import { showToast } from '#ui/toasts.tsx';
import type { SessionUser } from './session.ts';

const api = createClient(sessionEndpoints);
const key = ['change-preferences'];

type Body = Pick<
  NonNullable<CallInput<typeof sessionEndpoints.changePreferences>['body']>,
  'timezone' | 'weekends' | 'weekNumbers' | 'moreZones' | 'theme' | 'density'
>;

/** How preferences are called on the wire. */
const bodyOf = ({ zone, moreZones, ...same }: PreferencesChange): Body => ({
  ...same,
  ...(zone === undefined ? {} : { timezone: zone }),
  ...(moreZones === undefined ? {} : { moreZones: [...moreZones] }),
});

/** Changes how the person reads and sees: at once here, kept by the server, taken back if that fails. */
export function useSendPreferences(): ChangePreferences {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { mutate } = useMutation({
    mutationKey: key,
    // One after the other, so that the last one is what is kept.
    scope: { id: 'preferences' },
    mutationFn: (change: PreferencesChange) => api.changePreferences({ body: bodyOf(change) }),
    onMutate: (change) => {
      // An answer that is under way would take the change back for a moment.
      void queryClient.cancelQueries({ queryKey: sessionKey });
      const before = queryClient.getQueryData<SessionUser>(sessionKey);
      queryClient.setQueryData<SessionUser>(sessionKey, (user) => user && { ...user, ...bodyOf(change) });
      return before;
    },
    onError: (_error, _change, before) => {
      queryClient.setQueryData(sessionKey, before);
      void queryClient.invalidateQueries({ queryKey: sessionKey });
      showToast({ subject: 'preferences', state: 'bad', message: t('shell.preferencesFailed') });
    },
    onSuccess: (user) => {
      if (queryClient.isMutating({ mutationKey: key }) === 1) queryClient.setQueryData(sessionKey, user);
    },
  });
  return mutate;
}
