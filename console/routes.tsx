import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Navigate,
  type RouteComponent,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MissingPermission } from '#console/states/missing-permission.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { withTurnsShown } from '#domain/texts/unseen.ts';
import { features } from './features.ts';
import { entriesFor } from './frame/navigation.ts';
import { Shell } from './frame/shell.tsx';
import { useMe } from './hooks/use-me.ts';
import { adminPagesFor } from './slots/admin-pages.ts';
import { inSlot, type PageRoute } from './slots/feature.ts';
import { loadedPart } from './states/loaded-part.ts';
import { Notice } from './states/notice.tsx';
import * as text from './texts.ts';

/** A page hidden from the navigation shows the missing permission at its address. */
function Allowed({ needs, children }: { readonly needs: Permission | null; readonly children: ReactNode }) {
  const me = useMe();
  if (needs === null || me.permissions.includes(needs)) return children;
  return (
    <main>
      <MissingPermission what={nouns.thisPage} needs={needs} />
    </main>
  );
}

/** A page of the core has one line here and one in `frame/navigation.ts`. */
const CORE_PAGES: readonly PageRoute[] = [
  {
    path: '/groups',
    needs: 'events.read',
    load: () => import('./pages/groups/groups-page.tsx'),
    component: 'GroupsPage',
    slots: ['groupActions'],
  },
  {
    path: '/start',
    needs: null,
    load: () => import('./pages/get-started/get-started-page.tsx'),
    component: 'StartPage',
    slots: ['startCards'],
  },
  { path: '/me', needs: null, load: () => import('./pages/me/me-page.tsx'), component: 'MePage' },
  {
    path: '/groups/$id',
    needs: 'events.read',
    load: () => import('./pages/group/group-page.tsx'),
    component: 'GroupPage',
    slots: ['groupActions', 'groupPanels'],
  },
  {
    path: '/events',
    needs: 'events.read',
    load: () => import('./pages/events/events-page.tsx'),
    component: 'EventsPage',
    slots: ['eventActions'],
  },
  {
    path: '/topology',
    needs: 'cmdb.read',
    load: () => import('./pages/topology/topology-page.tsx'),
    component: 'TopologyPage',
    slots: ['mapParts', 'mapStarts'],
  },
  { path: '/cis', needs: 'cmdb.read', load: () => import('./pages/cis/cis-page.tsx'), component: 'CisPage' },
  {
    path: '/cis/$id',
    needs: 'cmdb.read',
    load: () => import('./pages/ci/ci-page.tsx'),
    component: 'CiPage',
    slots: ['leftCiPanels', 'rightCiPanels', 'ciValueParts'],
  },
  {
    path: '/tuning',
    needs: 'settings.read',
    load: () => import('./pages/tuning/tuning-page.tsx'),
    component: 'TuningPage',
    slots: ['tuningParts', 'trialWords'],
  },
  {
    path: '/sources',
    needs: 'tokens.manage',
    load: () => import('./pages/sources/sources-page.tsx'),
    component: 'SourcesPage',
    slots: ['pageTabs'],
  },
  {
    path: '/sources/$name',
    needs: 'tokens.manage',
    load: () => import('./pages/sources/source-page.tsx'),
    component: 'SourcePage',
  },
  {
    path: '/sources/$name/mapping',
    needs: 'settings.manage',
    load: () => import('./pages/sources/mapping-page.tsx'),
    component: 'MappingPage',
  },
  {
    path: '/pipeline',
    needs: 'pipeline.read',
    load: () => import('./pages/pipeline/pipeline-page.tsx'),
    component: 'PipelinePage',
  },
  {
    path: '/admin/users',
    needs: 'users.manage',
    load: () => import('./pages/admin/users-page.tsx'),
    component: 'UsersPage',
  },
  {
    path: '/admin/tokens',
    needs: 'tokens.manage',
    load: () => import('./pages/admin/tokens-page.tsx'),
    component: 'TokensPage',
  },
  {
    path: '/admin/teams',
    needs: 'users.manage',
    load: () => import('./pages/admin/teams-page.tsx'),
    component: 'TeamsPage',
  },
  {
    path: '/admin/tenants',
    needs: 'tenants.manage',
    load: () => import('./pages/admin/tenants-page.tsx'),
    component: 'TenantsPage',
  },
  {
    path: '/admin/limits',
    needs: 'settings.read',
    load: () => import('./pages/admin/limits-page.tsx'),
    component: 'LimitsPage',
  },
  {
    path: '/noc',
    needs: 'events.read',
    load: () => import('./pages/wallboard/wallboard-page.tsx'),
    component: 'NocPage',
    slots: ['wallParts', 'wallFoot'],
    isBare: true,
  },
  {
    path: '/admin/audit',
    needs: 'audit.read',
    load: () => import('./pages/admin/audit-page.tsx'),
    component: 'AuditPage',
  },
];

const PAGES: readonly PageRoute[] = [...CORE_PAGES, ...features.flatMap(({ pages = [] }) => pages)];

const rootRoute = createRootRoute();
/** A route without a path is the frame around others. */
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

const routeOf = ({ path, needs, load, component, slots = [], isBare = false }: PageRoute): AnyRoute => {
  const Loaded = lazyRouteComponent((() => loadedPart(load)) as never, component as never);
  const parts = slots.flatMap((slot) => inSlot(features, slot).map(({ Part }) => Part));
  const preload = async (): Promise<void> => {
    await Promise.all([Loaded, ...parts].map((one) => one.preload?.()));
  };
  const guarded = () => (
    <Allowed needs={needs}>
      <Loaded />
    </Allowed>
  );
  // The page before stays until the next one is loaded.
  const shown = Object.assign(guarded, { preload }) as RouteComponent;
  return createRoute({ getParentRoute: () => (isBare ? rootRoute : shellRoute) as AnyRoute, path, component: shown });
};

/** A user with an empty tenant begins with the setup, others with the first page of the navigation. */
function Home() {
  const { empty, permissions } = useMe();
  const begins = empty.events && permissions.includes('tokens.manage');
  const [first] = entriesFor(permissions, features);
  return <Navigate to={begins ? '/start' : (first?.to ?? '/groups')} replace />;
}

/** Redirects to the first administration page that the user may see. */
function AdminHome() {
  const { permissions } = useMe();
  const [first] = adminPagesFor(permissions, features);
  return first === undefined ? <Allowed needs="users.manage">{null}</Allowed> : <Navigate to={first.to} replace />;
}

function NotThere() {
  return (
    <Notice title={text.pageNotFound} ways={<Link to="/">{text.goHome}</Link>}>
      {text.addressMayBeWrong}
    </Notice>
  );
}

const OWN = [
  { path: '/', component: Home },
  { path: '/admin', component: AdminHome },
  { path: '$', component: NotThere },
].map(({ path, component }): AnyRoute => createRoute({ getParentRoute: () => shellRoute, path, component }));

/** Plain text, as users type it: no JSON, no quotes. */
const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, withTurnsShown(value)]));
const stringifySearch = (search: Record<string, unknown>): string => {
  const text = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

/** The pages, below the folder that the page's `<base>` names. */
export const openRouter = () =>
  createRouter({
    routeTree: rootRoute.addChildren([
      shellRoute.addChildren([...OWN, ...PAGES.filter(({ isBare }) => !isBare).map(routeOf)]),
      ...PAGES.filter(({ isBare }) => isBare).map(routeOf),
    ]),
    basepath: new URL(document.baseURI).pathname,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
  });

/** The page of this address is loaded while the console learns who uses it; whether it may be seen is asked when it is drawn. */
export const loadPageEarly = (router: ReturnType<typeof openRouter>): void => {
  for (const { routeId } of router.matchRoutes(router.latestLocation)) {
    const page = router.routesById[routeId]?.options.component as RouteComponent | undefined;
    void page?.preload?.();
  }
};
