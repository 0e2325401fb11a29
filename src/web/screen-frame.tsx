import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  type HistoryState,
  RouterProvider,
} from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Toasts } from '#ui/toasts.tsx';
import { UiProvider } from '#ui/ui-provider.tsx';
import { WordsProvider } from '#ui/words.tsx';
import { wordsOf } from './words-of.ts';

export interface ScreenFrameProps {
  screen: () => ReactNode;
  /** Address of the screen, with its search. */
  at: string;
  /** State from the previous page that is not in the address. */
  state?: HistoryState;
}

function startAt(at: string, state: HistoryState | undefined) {
  const history = createMemoryHistory({ initialEntries: [at] });
  if (state) history.replace(at, state);
  return history;
}

/** One screen with everything around it that is not the network: what a component test renders. */
export function ScreenFrame({ screen, at, state }: ScreenFrameProps) {
  const { t } = useTranslation();
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  const [router] = useState(() =>
    createRouter({
      // Whatever the address, this is the screen: where a link leads is the router's own test.
      routeTree: createRootRoute({ component: screen, notFoundComponent: screen }),
      history: startAt(at, state),
    }),
  );
  return (
    <UiProvider env="test">
      <WordsProvider value={wordsOf(t)}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </WordsProvider>
    </UiProvider>
  );
}
