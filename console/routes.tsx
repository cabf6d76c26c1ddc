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
import { inSlot, type PageRoute, type SlotName } from './slots/feature.ts';
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

const corePage = (
  path: string,
  needs: Permission | null,
  component: string,
  slots: readonly SlotName[],
  load: PageRoute['load'],
): PageRoute => ({ path, needs, component, slots, load });

/** A page of the core has one line here and one in `frame/navigation.ts`. */
const CORE_PAGES: readonly PageRoute[] = [
  corePage('/groups', 'events.read', 'GroupsPage', ['groupActions'], () => import('./pages/groups/groups-page.tsx')),
  corePage('/start', null, 'StartPage', ['startCards'], () => import('./pages/get-started/get-started-page.tsx')),
  corePage('/me', null, 'MePage', [], () => import('./pages/me/me-page.tsx')),
  corePage(
    '/groups/$id',
    'events.read',
    'GroupPage',
    ['groupActions', 'groupPanels'],
    () => import('./pages/group/group-page.tsx'),
  ),
  corePage('/events', 'events.read', 'EventsPage', ['eventActions'], () => import('./pages/events/events-page.tsx')),
  corePage(
    '/topology',
    'cmdb.read',
    'TopologyPage',
    ['mapParts', 'mapStarts'],
    () => import('./pages/topology/topology-page.tsx'),
  ),
  corePage('/cis', 'cmdb.read', 'CisPage', [], () => import('./pages/cis/cis-page.tsx')),
  corePage(
    '/cis/$id',
    'cmdb.read',
    'CiPage',
    ['leftCiPanels', 'rightCiPanels', 'ciValueParts'],
    () => import('./pages/ci/ci-page.tsx'),
  ),
  corePage(
    '/tuning',
    'settings.read',
    'TuningPage',
    ['tuningParts', 'trialWords'],
    () => import('./pages/tuning/tuning-page.tsx'),
  ),
  corePage('/sources', 'tokens.manage', 'SourcesPage', ['pageTabs'], () => import('./pages/sources/sources-page.tsx')),
  corePage('/sources/$name', 'tokens.manage', 'SourcePage', [], () => import('./pages/sources/source-page.tsx')),
  corePage(
    '/sources/$name/mapping',
    'settings.manage',
    'MappingPage',
    [],
    () => import('./pages/sources/mapping-page.tsx'),
  ),
  corePage('/pipeline', 'pipeline.read', 'PipelinePage', [], () => import('./pages/pipeline/pipeline-page.tsx')),
  corePage('/admin/users', 'users.manage', 'UsersPage', [], () => import('./pages/admin/users-page.tsx')),
  corePage('/admin/tokens', 'tokens.manage', 'TokensPage', [], () => import('./pages/admin/tokens-page.tsx')),
  corePage('/admin/teams', 'users.manage', 'TeamsPage', [], () => import('./pages/admin/teams-page.tsx')),
  corePage('/admin/tenants', 'tenants.manage', 'TenantsPage', [], () => import('./pages/admin/tenants-page.tsx')),
  corePage('/admin/limits', 'settings.read', 'LimitsPage', [], () => import('./pages/admin/limits-page.tsx')),
  {
    ...corePage(
      '/noc',
      'events.read',
      'NocPage',
      ['wallParts', 'wallFoot'],
      () => import('./pages/wallboard/wallboard-page.tsx'),
    ),
    isBare: true,
  },
  corePage('/admin/audit', 'audit.read', 'AuditPage', [], () => import('./pages/admin/audit-page.tsx')),
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
