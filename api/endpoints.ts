import { z } from 'zod';
import { bothList, onBoth } from '#api/surfaces/both.ts';
import { CONSOLE_KINDS, NO_SETTINGS, type ConsoleSettings as Settings } from '#domain/access/console.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { invalid, notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { VersionChange } from '#domain/ports/topology/topology-history.ts';
import { TopologyChangeBody, topologyChangeBody } from '#schemas/http/cmdb/changes.ts';
import { ImpactOfManyBody, impactOfManyBody } from '#schemas/http/cmdb/hops.ts';
import { wholeNumber } from '#schemas/http/common.ts';
import { ConsoleSettings, Me } from '#schemas/http/console.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { pageFields, pageInfo, withinWindow } from '#schemas/http/paging.ts';
import { iso, isoOrNull, Time } from '#schemas/http/time.ts';
import { adminEndpoints } from './admin/endpoints.ts';
import { authEndpoints } from './auth/endpoints.ts';
import { addressEndpoints, cmdbEndpoints } from './cmdb/endpoints.ts';
import { eventEndpoints } from './events/endpoints.ts';
import { groupEndpoints } from './groups/endpoints.ts';
import { changesStream } from './live/changes-endpoint.ts';
import { viewEndpoints } from './me/views.ts';
import { type AnyEndpoint, type Context, endpoint, mount, on } from './surfaces/endpoint.ts';
import { DEFAULT_SHOWN, FOLLOWED, type FoundImpact, findImpact, MAX_IMPACT } from './topology/find-impact.ts';
import { getImpact } from './topology/impact.ts';
import { getNeighbourhood } from './topology/neighbourhood.ts';
import { getPath } from './topology/path.ts';

interface Emptiness {
  readonly events: boolean;
  readonly cis: boolean;
}
interface OwnState {
  readonly empty: Emptiness;
  readonly mail: string | null;
}

const present = ({ empty, mail }: OwnState, { caller, tenant, ports, service }: Context) => {
  const { id, username, name, kind, role, permissions, expiresAt } = caller;
  return {
    body: {
      user: { _id: id, username, name, role, mail, credential: kind, expires_at: isoOrNull(expiresAt ?? null) },
      tenant: { id: tenant, own: caller.tenant },
      permissions: [...permissions],
      // Rules answer where there is no model.
      features: { ai: true, model: ports.model !== null, reports: true, webhooks: true, demo: service.hasDemo },
      mode: service.mode,
      version: service.version,
      time: iso(ports.clock.now()),
      empty,
    },
  };
};

const FIRST = { limit: 1, offset: 0, sort: 'createdAt', order: 'desc' } as const;

const showMe = endpoint<void, OwnState>({
  id: 'me.show',
  summary: 'Get the current user, permissions and server features',
  description: 'Used by the console at start. See GET /api/auth/me for credential limits.',
  tag: 'Console',
  permission: null,
  anyCredential: true,
  mounts: on.platform.get('/me', { reply: wrapped(Me), read: () => undefined, present }),
  async handle(_, { ports, tenant, caller }) {
    const [events, cis, user] = await Promise.all([
      ports.events.find(tenant, {}, FIRST),
      ports.counts.cis(tenant),
      caller.kind === 'jwt' ? ports.records.get<UserRecord>(caller.tenant, ACCESS_KINDS.user, caller.id) : null,
    ]);
    return { empty: { events: events.total === 0, cis: cis === 0 }, mail: user?.body.mail ?? null };
  },
});

/** Maximum of CIs whose changes are listed, the nearest. */
const MAX_AREA = 1_000;
const DAY_MS = 24 * 3_600_000;

const Query = z
  .strictObject({
    near: z.string().min(1).max(255).meta({ description: 'CI ID, including deleted CIs' }),
    hops: wholeNumber(0, 3).default(1),
    from: Time.optional().meta({ description: 'Start time; default: one day before `to`' }),
    to: Time.optional().meta({ description: 'End time; default: now' }),
    ...pageFields({ limit: 20, max: 100 }),
  })
  .check(withinWindow);
type ChangesQuery = z.output<typeof Query>;

interface TopologyChangesPage {
  readonly query: ChangesQuery;
  readonly found: Page<VersionChange>;
  readonly names: ReadonlyMap<string, string>;
}
const listed = {
  method: 'get',
  path: '/cmdb/changes',
  query: Query,
  read: ({ query }: { query: ChangesQuery }) => query,
  present: ({ query, found, names }: TopologyChangesPage) => ({
    body: found.items.map((change) => topologyChangeBody(change, names)),
    page: pageInfo(query, found),
  }),
} as const;

/** The id of the CI now, when it was merged into another one. */
async function standing(near: string, { tenant, ports }: Context): Promise<string> {
  const [ci] = await ports.topology.getCis(tenant, [near]);
  if (ci !== undefined) return ci.id;
  const { total } = await ports.history.changes(tenant, near, { limit: 1 });
  if (total === 0) throw notFound('Configuration item', near);
  return near;
}

const endsOf = (change: VersionChange): string[] => {
  const version = change.after ?? change.before;
  return version !== null && 'source' in version ? [version.source, version.target] : [];
};

const listTopologyChanges = endpoint<ChangesQuery, TopologyChangesPage>({
  id: 'cmdb.list-changes',
  summary: 'List topology changes near a configuration item',
  description:
    'Created, changed and deleted CIs within `hops`, with their relationships. Includes CIs that were near at any time in the range. Up to the nearest 1,000 CIs.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  alsoFaults: ['not-found'],
  mounts: bothList(listed, TopologyChangeBody),
  async handle(query, context) {
    const { tenant, ports, receivedAt } = context;
    const to = query.to ?? receivedAt;
    const from = query.from ?? to - DAY_MS;
    if (from > to) throw invalid('from', 'must not be after to');
    const ci = await standing(query.near, context);
    const { ids: ciIds } = await ports.history.area(tenant, { ci, hops: query.hops, from, to, limit: MAX_AREA });
    const { limit, page, cursor } = query;
    const where = cursor === undefined ? { limit, offset: (page - 1) * limit } : { limit, cursor };
    const found = await ports.history.changesAmong(tenant, { ciIds, from, to }, where);
    const ends = [...new Set(found.items.flatMap(endsOf))];
    return { query, found, names: await ports.history.lastNames(tenant, ends) };
  },
});

/** CIs that fail at the same time. */
const MAX_FAILING = 500;
const MAX_TYPES = 100;

const Body = z
  .strictObject({
    ci_ids: z.array(z.string().min(1).max(255)).min(1).max(MAX_FAILING),
    types: z.array(z.string().min(1).max(255)).max(MAX_TYPES).default([]).meta({ description: FOLLOWED }),
    as_of: Time.optional(),
    limit: z.int().min(1).max(MAX_IMPACT).default(DEFAULT_SHOWN),
  })
  .meta({ id: 'ImpactOfMany', example: { ci_ids: ['01M7YYCSX1W0SAZZRHKVPG78N3', '01M7YYCSX1W0SAZZRHKVPG78N4'] } });
type ImpactOfManyRequest = z.output<typeof Body>;

interface ImpactList extends FoundImpact {
  readonly limit: number;
}

const getImpactOfMany = endpoint<ImpactOfManyRequest, ImpactList>({
  id: 'cmdb.get-impact-of-many',
  summary: 'Get the combined impact of configuration items',
  description: 'Evaluates redundancy with all given CIs down. Hops and paths start at the nearest of them.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  alsoFaults: ['unprocessable', 'not-found'],
  mounts: onBoth.post('/cmdb/impact', ImpactOfManyBody, {
    body: Body,
    read: ({ body }) => body,
    present: ({ cis, impact, services, limit }: ImpactList) => ({
      body: impactOfManyBody(cis, impact, services, limit),
    }),
  }),
  handle: async ({ ci_ids, as_of: asOf, types, limit }, context) => ({
    ...(await findImpact(context, ci_ids, { asOf, types })),
    limit,
  }),
});

const topologyEndpoints: readonly AnyEndpoint[] = [
  getNeighbourhood,
  getImpact,
  getImpactOfMany,
  getPath,
  listTopologyChanges,
];

const common = { tag: 'Console', permission: null, anyCredential: true, limit: 'standard' } as const;
const ME_SETTINGS = {
  on: 'platform',
  path: '/me/settings',
  reply: wrapped(ConsoleSettings),
  present: (settings: Settings) => ({ body: settings }),
} as const;

const showSettings = endpoint<void, Settings>({
  ...common,
  id: 'me.settings.get',
  summary: 'Get your console preferences',
  mounts: mount({ ...ME_SETTINGS, method: 'get', read: () => undefined }),
  async handle(_, { ports, tenant, caller }) {
    const kept = await ports.records.get<Partial<Settings>>(tenant, CONSOLE_KINDS.settings, caller.id);
    return { ...NO_SETTINGS, ...kept?.body };
  },
});

const putSettings = endpoint<Settings, Settings>({
  ...common,
  id: 'me.settings.put',
  summary: 'Replace your console preferences',
  description: 'Omitted settings use the default.',
  mounts: mount({ ...ME_SETTINGS, method: 'put', body: ConsoleSettings, read: ({ body }) => body as Settings }),
  async handle(settings, { ports, tenant, caller }) {
    await ports.records.put(tenant, CONSOLE_KINDS.settings, caller.id, settings);
    return settings;
  },
});

const settingsOfMe = [showSettings, putSettings];

const meEndpoints = [showMe, ...settingsOfMe, ...viewEndpoints];

/** Changes, as they happen. */
const liveEndpoints: readonly AnyEndpoint[] = [changesStream];

/** Answered by the core, besides what operators ask. */
export const coreEndpoints: readonly AnyEndpoint[] = [
  ...authEndpoints,
  ...meEndpoints,
  ...adminEndpoints,
  ...eventEndpoints,
  ...groupEndpoints,
  ...cmdbEndpoints,
  ...topologyEndpoints,
  ...addressEndpoints,
  ...liveEndpoints,
];
