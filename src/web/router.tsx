import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouterHistory,
} from '@tanstack/react-router';
import { loadProofDialog } from '#features/access/web/screens.ts';
import { ReauthenticationProvider } from '#ui/reauthentication.tsx';
import type { Guard, Screen } from '#ui/screen.ts';
import { goHome, hideFromStrangers, requireAdmin, requireChallengeOrUser, requireUser } from './guards.ts';
import { loadWords } from './i18n.ts';

import { RouteError } from './route-error.tsx';
import { screens } from './screens.ts';
import { SessionSpinner } from './session-spinner.tsx';
import { Shell } from './shell.tsx';
import { useDocumentTitle } from './use-document-title.ts';

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Translation key of the document title. */
    title?: string;
  }
  /** State that passes from one page to the next outside the address. */
  interface HistoryState {
    /** The `session` of a sign-in that waits for a second factor. */
    challenge?: string | undefined;
  }
}

async function loadProofDialogWithWords() {
  const [dialog] = await Promise.all([loadProofDialog(), loadWords('access'), loadWords('security')]);
  return dialog;
}

function Root() {
  useDocumentTitle();
  return (
    <ReauthenticationProvider loadDialog={loadProofDialogWithWords}>
      <Outlet />
    </ReauthenticationProvider>
  );
}

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root });

const indexRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: goHome });
const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'user',
  beforeLoad: requireUser,
  component: Shell,
});
const adminRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'admin',
  beforeLoad: requireAdmin,
  component: lazyRouteComponent(() => import('./admin-shell.tsx'), 'AdminShell'),
});
const challengedOrUserRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'challenged-or-user',
  beforeLoad: requireChallengeOrUser,
});

const parents = {
  user: userRoute,
  admin: adminRoute,
  'challenged-or-user': challengedOrUserRoute,
} as const;

function routeOf(screen: Screen): AnyRoute {
  return createRoute({
    getParentRoute: () => parents[screen.guard],
    path: screen.path,
    component: lazyRouteComponent(async () => {
      const [page] = await Promise.all([screen.load(), ...[areaOf(screen), ...(screen.words ?? [])].map(loadWords)]);
      return { default: page };
    }),
    validateSearch: screen.search ?? ((raw: Record<string, unknown>) => raw),
    staticData: { title: screen.title },
  });
}

/** A screen's words are those of its feature, whose name its title begins with. */
const areaOf = (screen: Screen) => screen.title.split('.', 1)[0] ?? '';

/** A section that has no screen yet. */
const unbuiltRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'unbuilt',
  beforeLoad: hideFromStrangers,
  component: Shell,
});
const sectionRoute = createRoute({
  getParentRoute: () => unbuiltRoute,
  path: '/$section',
  component: lazyRouteComponent(() => import('./coming-soon.tsx'), 'ComingSoon'),
  staticData: { title: 'shell.comingSoon.title' },
});

const routesFor = (guard: Guard) => screens.filter((screen) => screen.guard === guard).map(routeOf);

const routeTree = rootRoute.addChildren([
  indexRoute,
  userRoute.addChildren(routesFor('user')),
  unbuiltRoute.addChildren([sectionRoute]),
  adminRoute.addChildren(routesFor('admin')),
  challengedOrUserRoute.addChildren(routesFor('challenged-or-user')),
]);

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history ? { history } : {}),
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: SessionSpinner,
    defaultErrorComponent: RouteError,
    // few come to no page, and they wait for it
    defaultNotFoundComponent: lazyRouteComponent(() => import('./not-found.tsx'), 'NotFound'),
    notFoundMode: 'root',
    scrollRestoration: true,
  });
}
