import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { useTranslation } from 'react-i18next';
import { sessionKey } from '#features/accounts/rules/session.ts';
import { Toasts } from '#ui/toasts.tsx';
import { UiProvider } from '#ui/ui-provider.tsx';
import { WordsProvider } from '#ui/words.tsx';
import { createQueryClient } from './query-client.ts';
import { createAppRouter } from './router.tsx';
import { forgetSeen } from './session.ts';
import { wordsOf } from './words-of.ts';

// A session that ended while a screen is open sends its person to the sign-in page, with the way back remembered.
const queryClient = createQueryClient(() => {
  void forgetSeen();
  queryClient.setQueryData(sessionKey, null);
  void router.invalidate();
});
const router = createAppRouter(queryClient);
void import('./offline-copy.ts').then(({ startOfflineCopy }) =>
  startOfflineCopy(
    () => void queryClient.invalidateQueries(),
    (to) => void router.navigate({ href: to }),
  ),
);

export function App() {
  const { t } = useTranslation();
  return (
    <StrictMode>
      <UiProvider>
        <WordsProvider value={wordsOf(t)}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
            <Toasts />
          </QueryClientProvider>
        </WordsProvider>
      </UiProvider>
    </StrictMode>
  );
}
