import type { QueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import type { Screen } from '#ui/screen.ts';
import { ComingSoon } from './coming-soon.tsx';
import { goHome, requireGuest, requireUser } from './guards.ts';
import { loadWords } from './i18n.ts';
import { NotFound } from './not-found.tsx';
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
}

function Root() {
  useDocumentTitle();
  return <Outlet />;
}

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({ component: Root });

const indexRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', beforeLoad: goHome });
const userRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'user',
  beforeLoad: requireUser,
  component: Shell,
});
const guestRoute = createRoute({ getParentRoute: () => rootRoute, id: 'guest', beforeLoad: requireGuest });
const publicRoute = createRoute({ getParentRoute: () => rootRoute, id: 'public' });

const parents = { user: userRoute, guest: guestRoute, public: publicRoute } as const;

function routeOf(screen: Screen): AnyRoute {
  return createRoute({
    getParentRoute: () => parents[screen.guard],
    path: screen.path,
    component: lazyRouteComponent(async () => {
      const [page] = await Promise.all([screen.load(), loadWords(areaOf(screen))]);
      return { default: page };
    }),
    validateSearch: screen.search ?? ((raw: Record<string, unknown>) => raw),
    staticData: { title: screen.title },
  });
}

/** A screen's words are those of its feature, whose name its title begins with. */
const areaOf = (screen: Screen) => screen.title.split('.', 1)[0] ?? '';

/** A section of the sidebar that has no screen yet. */
const sectionRoute = createRoute({
  getParentRoute: () => userRoute,
  path: '/$section',
  component: ComingSoon,
  staticData: { title: 'shell.comingSoon.title' },
});

const routesFor = (guard: Screen['guard']) => screens.filter((screen) => screen.guard === guard).map(routeOf);

const routeTree = rootRoute.addChildren([
  indexRoute,
  userRoute.addChildren([...routesFor('user'), sectionRoute]),
  guestRoute.addChildren(routesFor('guest')),
  publicRoute.addChildren(routesFor('public')),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: 'intent',
    defaultPendingMs: 300,
    defaultPendingComponent: SessionSpinner,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
  });
}
