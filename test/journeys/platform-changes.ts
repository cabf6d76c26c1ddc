import { isThere } from '#test/setup/is-there.ts';
import type { Scanning } from './discovery-styles.ts';

/* Everything that changes something on the platform surface, as one table. */

type Sent = Awaited<ReturnType<Scanning['send']>>;
type Headers = Readonly<Record<string, string>>;

export interface Change {
  readonly endpoint: string;
  /** Action in the audit trail. */
  readonly action: string;
  /** True for changes of /api alone, in any style. */
  readonly isAdministration?: boolean;
  /** Creates the prerequisites of the request. */
  readonly furnish?: (tenant: Scanning) => Promise<string>;
  /** `of` is the created record, `n` distinguishes requests. */
  readonly ask: (tenant: Scanning, headers: Headers, of: string, n: number) => Promise<Sent>;
}

const CSV = { 'content-type': 'text/csv' };
const pair = async ({ ci }: Scanning): Promise<[string, string]> => [await ci('a'), await ci('b')];
const token =
  (path: string, body: object) =>
  async ({ send }: Scanning) =>
    (await send('POST', path, { name: 't', ...body })).data.id as string;
const service = async ({ send }: Scanning): Promise<string> =>
  (await send('POST', '/services', { name: 'Shop' })).data.id;
const person = (n: number) => ({ username: `ann-${n}`, role: 'viewer', password: 'a long enough password' });
const user = async ({ send }: Scanning): Promise<string> => (await send('POST', '/api/admin/users', person(0))).data.id;
const proposal = async ({ ci, send }: Scanning): Promise<string> => {
  const named = { source: await ci('a'), target: await ci('b'), type: 'depends-on' };
  return (await send('POST', '/api/cmdb/ai-relationships', named)).body.relationshipId;
};
const team = async ({ send }: Scanning): Promise<string> =>
  (await send('POST', '/api/admin/teams', { name: 'Night' })).data.id;
// A name that never exists: its deliveries fail.
const hook = { name: 'Night', url: 'https://hooks.invalid/x', events: ['report.completed'] };
const webhook = async ({ send }: Scanning): Promise<string> => (await send('POST', '/webhooks', hook)).data.id;
const tested = async (tenant: Scanning): Promise<string> => {
  const id = await webhook(tenant);
  return `${id}/deliveries/${(await tenant.send('POST', `/webhooks/${id}/test`)).data.id}`;
};
// Paused: what is never there is never asked.
const polled = { kind: 'prometheus', url: 'https://prometheus.invalid', paused: true };
const polledSource = async ({ send }: Scanning): Promise<string> => {
  await send('PUT', '/cmdb/sources/prod', polled);
  return 'prod';
};
const settings = (name: string, body: (n: number) => object): Change => ({
  endpoint: name === 'limits' ? 'admin.limits.put' : `admin.settings.${name}.put`,
  action: name === 'limits' ? 'limits.updated' : `settings.${name}.updated`,
  isAdministration: true,
  ask: ({ send }, headers, _, n) =>
    send('PUT', `/api/admin/${name === 'limits' ? name : `settings/${name}`}`, body(n), headers),
});

/** The version before the first change. */
const restored = (name: string, body: object): Change => ({
  endpoint: `admin.${name.replace('/', '.')}.restore`,
  action: name === 'limits' ? 'limits.updated' : `${name.replace('/', '.')}.updated`,
  isAdministration: true,
  async furnish({ send }) {
    await send('PUT', `/api/admin/${name}`, body);
    return name;
  },
  ask: ({ send }, headers, _, n) => send('POST', `/api/admin/${name}/restore`, { revision: n }, headers),
});

const inventory = { template_id: 'ci-inventory', format: 'csv' };
const daily = { ...inventory, every: 'day' };

const shared = { page: 'groups', shared: true };
const sharedView = async ({ send }: Parameters<NonNullable<Change['furnish']>>[0]) =>
  (await send('POST', '/api/views', { ...shared, name: 'a' })).data.id;

const mapping = { fields: { key: '$.id', title: '$.text' } };
const mapped = async ({ send }: Scanning): Promise<string> => {
  await send('PUT', '/api/admin/sources/ours/mapping', mapping);
  return 'ours';
};

const ALL: readonly Change[] = [
  {
    endpoint: 'admin.sources.mapping.put',
    action: 'source.mapping.updated',
    isAdministration: true,
    furnish: mapped,
    ask: ({ send }, headers, of, n) =>
      send('PUT', `/api/admin/sources/${of}/mapping`, { ...mapping, title: `Ours ${n}` }, headers),
  },
  {
    endpoint: 'admin.sources.mapping.delete',
    action: 'source.mapping.deleted',
    isAdministration: true,
    furnish: mapped,
    ask: ({ send }, headers, of) => send('DELETE', `/api/admin/sources/${of}/mapping`, undefined, headers),
  },
  {
    endpoint: 'me.views.create',
    action: 'view.created',
    isAdministration: true,
    ask: ({ send }, headers, _, n) => send('POST', '/api/views', { ...shared, name: `v-${n}` }, headers),
  },
  {
    endpoint: 'me.views.update',
    action: 'view.updated',
    isAdministration: true,
    furnish: sharedView,
    ask: ({ send }, headers, id, n) => send('PUT', `/api/views/${id}`, { ...shared, name: `v-${n}` }, headers),
  },
  {
    endpoint: 'me.views.delete',
    action: 'view.deleted',
    isAdministration: true,
    furnish: sharedView,
    ask: ({ send }, headers, id) => send('DELETE', `/api/views/${id}`, undefined, headers),
  },
  {
    endpoint: 'reports.generate',
    action: 'report.created',
    ask: ({ send }, headers, _, n) => send('POST', '/reports/generate', { ...inventory, category: `c-${n}` }, headers),
  },
  {
    endpoint: 'reports.delete',
    action: 'report.deleted',
    furnish: async ({ send }) => (await send('POST', '/reports/generate', inventory)).data.report_id,
    ask: ({ send }, headers, id) => send('DELETE', `/reports/${id}`, undefined, headers),
  },
  {
    endpoint: 'reports.schedules.create',
    action: 'report-schedule.created',
    ask: ({ send }, headers, _, n) => send('POST', '/reports/schedules', { ...daily, category: `c-${n}` }, headers),
  },
  {
    endpoint: 'reports.schedules.change',
    action: 'report-schedule.updated',
    furnish: async ({ send }) => (await send('POST', '/reports/schedules', daily)).data.schedule_id,
    ask: ({ send }, headers, id, n) =>
      send('PUT', `/reports/schedules/${id}`, { ...daily, category: `c-${n}` }, headers),
  },
  {
    endpoint: 'reports.schedules.delete',
    action: 'report-schedule.deleted',
    furnish: async ({ send }) => (await send('POST', '/reports/schedules', daily)).data.schedule_id,
    ask: ({ send }, headers, id) => send('DELETE', `/reports/schedules/${id}`, undefined, headers),
  },
  {
    endpoint: 'admin.settings.correlation.trials.start',
    action: 'settings.correlation.tried',
    isAdministration: true,
    ask: ({ send }, headers, _, n) =>
      send('POST', '/api/admin/settings/correlation/trials', { patch: {}, hours: n + 1 }, headers),
  },
  settings('ai', (n) => ({ dailyTokens: 1_000 + n })),
  restored('settings/ai', { dailyTokens: 1_000 }),
  {
    endpoint: 'cmdb.create-ci',
    action: 'ci.created',
    ask: ({ send }, headers, _, n) => send('POST', '/cmdb/ci', { name: `new-${n}`, type: 'server' }, headers),
  },
  {
    endpoint: 'cmdb.update-ci',
    action: 'ci.updated',
    furnish: ({ ci }) => ci('a'),
    ask: ({ send }, headers, id, n) => send('PUT', `/cmdb/ci/${id}`, { name: `b-${n}` }, headers),
  },
  {
    endpoint: 'cmdb.bulk-cis',
    action: 'ci.updated',
    furnish: ({ ci }) => ci('a'),
    ask: ({ send }, headers, id, n) =>
      send('POST', '/cmdb/ci/bulk', { ids: [id], action: 'update', set: { description: `d-${n}` } }, headers),
  },
  {
    endpoint: 'cmdb.merge-ci',
    action: 'ci.merged',
    furnish: async ({ ci }) => `${await ci('a')} ${await ci('b')}`,
    ask: ({ send }, headers, both, n) => {
      const [into, from] = both.split(' ');
      return send('POST', `/cmdb/ci/${into}/merge`, { from, reason: `r-${n}` }, headers);
    },
  },
  {
    endpoint: 'cmdb.delete-ci',
    action: 'ci.deleted',
    furnish: ({ ci }) => ci('a'),
    ask: ({ send }, headers, id) => send('DELETE', `/cmdb/ci/${id}`, undefined, headers),
  },
  {
    endpoint: 'cmdb.create-relationship',
    action: 'relationship.created',
    furnish: async (tenant) => (await pair(tenant)).join(' '),
    ask: ({ send }, headers, of, n) => {
      const [source_ci, target_ci] = of.split(' ');
      return send('POST', '/cmdb/relationships', { type: `t${n}`, source_ci, target_ci }, headers);
    },
  },
  {
    endpoint: 'cmdb.update-relationship',
    action: 'relationship.updated',
    furnish: async (tenant) => tenant.join(...(await pair(tenant))),
    ask: ({ send }, headers, id) => send('PUT', `/cmdb/relationships/${id}`, { confidence: 0.5 }, headers),
  },
  {
    endpoint: 'cmdb.delete-relationship',
    action: 'relationship.deleted',
    furnish: async (tenant) => tenant.join(...(await pair(tenant))),
    ask: ({ send }, headers, id) => send('DELETE', `/cmdb/relationships/${id}`, undefined, headers),
  },
  {
    endpoint: 'cmdb.import-ci',
    action: 'cmdb.imported',
    ask: ({ send }, headers, _, n) =>
      send('POST', '/cmdb/import/ci', `name,type\nfile-${n},server\n`, { ...CSV, ...headers }),
  },
  {
    endpoint: 'cmdb.import-relationships',
    action: 'cmdb.imported',
    furnish: async (tenant) => (await pair(tenant))[0],
    ask: ({ send }, headers, _, n) =>
      send('POST', '/cmdb/import/relationships', `type,source_ci,target_ci\nt${n},a,b\n`, { ...CSV, ...headers }),
  },
  {
    endpoint: 'discovery.tokens.create',
    action: 'token.created',
    ask: ({ send }, headers, _, n) => send('POST', '/discovery/tokens', { name: `nmap-${n}` }, headers),
  },
  {
    endpoint: 'discovery.tokens.rotate',
    action: 'token.rotated',
    furnish: token('/discovery/tokens', {}),
    ask: ({ send }, headers, id, n) => send('POST', `/discovery/tokens/${id}/rotate`, { overlap: `${n}h` }, headers),
  },
  {
    endpoint: 'discovery.tokens.revoke',
    action: 'token.revoked',
    furnish: token('/discovery/tokens', {}),
    ask: ({ send }, headers, id) => send('DELETE', `/discovery/tokens/${id}`, undefined, headers),
  },
  {
    endpoint: 'discovery.submit-scan',
    action: 'scan.submitted',
    ask: ({ submit }, headers, _, n) => submit([{ hostname: `host-${n}` }], {}, headers),
  },
  {
    endpoint: 'discovery.resolve-review',
    action: 'review.resolved',
    async furnish({ ci, scan }) {
      for (const name of ['one', 'two']) await ci(name, { attributes: { ip_address: '10.0.0.8' } });
      return (await scan([{ hostname: 'new', ip_address: '10.0.0.8' }])).hosts[0].review_id;
    },
    ask: ({ send }, headers, id, n) =>
      send('POST', `/discovery/reviews/${id}/resolve`, n === 0 ? { create: true } : { dismiss: true }, headers),
  },
  {
    endpoint: 'services.create',
    action: 'service.created',
    ask: ({ send }, headers, _, n) => send('POST', '/services', { name: `Shop ${n}` }, headers),
  },
  {
    endpoint: 'analyzer.save',
    action: 'service.created',
    isAdministration: true,
    furnish: ({ ci }) => ci('a'),
    ask: ({ send }, headers, of, n) => {
      const body = { name: `Found ${n}`, components: [{ ciId: of }], analysis: { n } };
      return send('POST', '/api/business-service-analyzer/save', body, headers);
    },
  },
  {
    endpoint: 'agents.feedback',
    action: 'agent.judged',
    furnish: proposal,
    ask: ({ send }, headers, id, n) =>
      send(
        'POST',
        '/agents/relationships/feedback',
        { subject: { kind: 'relationship', id }, verdict: n % 2 === 0 ? 'right' : 'wrong' },
        headers,
      ),
  },
  {
    endpoint: 'services.update',
    action: 'service.updated',
    furnish: service,
    ask: ({ send }, headers, id) => send('PUT', `/services/${id}`, { name: 'Store' }, headers),
  },
  {
    endpoint: 'services.delete',
    action: 'service.deleted',
    furnish: service,
    ask: ({ send }, headers, id) => send('DELETE', `/services/${id}`, undefined, headers),
  },
  {
    endpoint: 'cmdb.sources.put',
    action: 'source.created',
    ask: ({ send }, headers, _, n) => send('PUT', `/cmdb/sources/prod-${n}`, polled, headers),
  },
  {
    endpoint: 'cmdb.sources.delete',
    action: 'source.deleted',
    furnish: polledSource,
    ask: ({ send }, headers, of) => send('DELETE', `/cmdb/sources/${of}`, undefined, headers),
  },
  {
    endpoint: 'cmdb.sync',
    action: 'source.run',
    ask: ({ send }, headers, _, n) =>
      send('POST', '/cmdb/sync/erp', `kind,external_key,name,type\nci,k-${n},n-${n},server\n`, { ...CSV, ...headers }),
  },
  {
    endpoint: 'webhooks.create',
    action: 'webhook.created',
    ask: ({ send }, headers, _, n) => send('POST', '/webhooks', { ...hook, name: `Night ${n}` }, headers),
  },
  {
    endpoint: 'webhooks.update',
    action: 'webhook.updated',
    furnish: webhook,
    ask: ({ send }, headers, id) => send('PUT', `/webhooks/${id}`, { ...hook, name: 'Day' }, headers),
  },
  {
    endpoint: 'webhooks.rotate-secret',
    action: 'webhook.rotated',
    furnish: webhook,
    ask: ({ send }, headers, id, n) => send('POST', `/webhooks/${id}/rotate-secret`, { grace: `${n}h` }, headers),
  },
  {
    endpoint: 'webhooks.test',
    action: 'webhook.tested',
    furnish: webhook,
    ask: ({ send }, headers, id, n) => send('POST', `/webhooks/${id}${n || ''}/test`, undefined, headers),
  },
  {
    endpoint: 'admin.sources.test',
    action: 'source.tested',
    isAdministration: true,
    ask: ({ send }, headers, _, n) =>
      send('POST', `/api/admin/sources/${['zabbix', 'gcp'][n] ?? 'azure'}/test`, undefined, headers),
  },
  {
    endpoint: 'webhooks.resume',
    action: 'webhook.resumed',
    furnish: webhook,
    ask: ({ send }, headers, id, n) => send('POST', `/webhooks/${id}${n || ''}/resume`, undefined, headers),
  },
  {
    endpoint: 'webhooks.deliveries.redeliver',
    action: 'webhook.redelivered',
    furnish: tested,
    ask: ({ send }, headers, path, n) => send('POST', `/webhooks/${path}${n || ''}/redeliver`, undefined, headers),
  },
  {
    endpoint: 'webhooks.redeliver',
    action: 'webhook.redelivered',
    furnish: webhook,
    ask: ({ send }, headers, id, n) => send('POST', `/webhooks/${id}/redeliver`, { from: n }, headers),
  },
  {
    endpoint: 'webhooks.delete',
    action: 'webhook.deleted',
    furnish: webhook,
    ask: ({ send }, headers, id) => send('DELETE', `/webhooks/${id}`, undefined, headers),
  },
  {
    endpoint: 'admin.users.create',
    action: 'user.created',
    isAdministration: true,
    ask: ({ send }, headers, _, n) => send('POST', '/api/admin/users', person(n), headers),
  },
  {
    endpoint: 'admin.users.update',
    action: 'user.updated',
    isAdministration: true,
    furnish: user,
    ask: ({ send }, headers, id) => send('PUT', `/api/admin/users/${id}`, { role: 'operator' }, headers),
  },
  {
    endpoint: 'admin.users.invite',
    action: 'user.invited',
    isAdministration: true,
    ask: ({ send }, headers, _, n) =>
      send('POST', '/api/admin/users/invite', { mail: `ann-${n}@example.com`, role: 'viewer' }, headers),
  },
  {
    endpoint: 'admin.users.invite-again',
    action: 'user.reinvited',
    isAdministration: true,
    furnish: async ({ send }) =>
      (await send('POST', '/api/admin/users/invite', { mail: 'ann@example.com', role: 'viewer' })).data.user.id,
    ask: ({ send }, headers, id, n) => send('POST', `/api/admin/users/${id}${n || ''}/invite`, undefined, headers),
  },
  {
    endpoint: 'admin.users.delete',
    action: 'user.deleted',
    isAdministration: true,
    furnish: user,
    ask: ({ send }, headers, id) => send('DELETE', `/api/admin/users/${id}`, undefined, headers),
  },
  {
    endpoint: 'admin.teams.create',
    action: 'team.created',
    isAdministration: true,
    ask: ({ send }, headers, _, n) => send('POST', '/api/admin/teams', { name: `Night ${n}` }, headers),
  },
  {
    endpoint: 'admin.teams.update',
    action: 'team.updated',
    isAdministration: true,
    furnish: team,
    ask: ({ send }, headers, id) => send('PUT', `/api/admin/teams/${id}`, { name: 'Day' }, headers),
  },
  {
    endpoint: 'on-call.update',
    action: 'on-call.updated',
    isAdministration: true,
    furnish: team,
    ask: ({ send }, headers, id) =>
      send('PUT', `/api/on-call/${id}`, { calendar: 'https://calendar.invalid/x.ics' }, headers),
  },
  {
    endpoint: 'admin.teams.delete',
    action: 'team.deleted',
    isAdministration: true,
    furnish: team,
    ask: ({ send }, headers, id) => send('DELETE', `/api/admin/teams/${id}`, undefined, headers),
  },
  {
    endpoint: 'admin.tokens.create',
    action: 'token.created',
    isAdministration: true,
    ask: ({ send }, headers, _, n) =>
      send('POST', '/api/admin/tokens', { name: `t-${n}`, kind: 'service_account', role: 'viewer' }, headers),
  },
  {
    endpoint: 'admin.tokens.update',
    action: 'token.updated',
    isAdministration: true,
    furnish: token('/api/admin/tokens', { role: 'viewer' }),
    ask: ({ send }, headers, id, n) => send('PUT', `/api/admin/tokens/${id}`, { name: `other-${n}` }, headers),
  },
  {
    endpoint: 'admin.tokens.rotate',
    action: 'token.rotated',
    isAdministration: true,
    furnish: token('/api/admin/tokens', { role: 'viewer' }),
    ask: ({ send }, headers, id, n) => send('POST', `/api/admin/tokens/${id}/rotate`, { overlap: `${n}h` }, headers),
  },
  {
    endpoint: 'admin.tokens.revoke',
    action: 'token.revoked',
    isAdministration: true,
    furnish: token('/api/admin/tokens', { role: 'viewer' }),
    ask: ({ send }, headers, id) => send('DELETE', `/api/admin/tokens/${id}`, undefined, headers),
  },
  {
    endpoint: 'ai-relationships.create',
    action: 'ai-relationship.created',
    isAdministration: true,
    furnish: async (tenant) => (await pair(tenant)).join(' '),
    ask: ({ send }, headers, of, n) => {
      const [source, target] = of.split(' ');
      return send('POST', '/api/cmdb/ai-relationships', { source, target, type: `t${n}` }, headers);
    },
  },
  {
    endpoint: 'ai-relationships.update',
    action: 'ai-relationship.updated',
    isAdministration: true,
    furnish: proposal,
    ask: ({ send }, headers, id) => send('PUT', `/api/cmdb/ai-relationships/${id}`, { confidence: 0.9 }, headers),
  },
  {
    endpoint: 'ai-relationships.accept',
    action: 'ai-relationship.accepted',
    isAdministration: true,
    furnish: proposal,
    ask: ({ send }, headers, id) => send('POST', `/api/cmdb/ai-relationships/${id}/accept`, undefined, headers),
  },
  {
    endpoint: 'ai-relationships.decide',
    action: 'ai-relationship.accepted',
    isAdministration: true,
    furnish: proposal,
    ask: ({ send }, headers, id, n) =>
      send('POST', '/api/cmdb/ai-relationships/decide', { [n === 0 ? 'accept' : 'reject']: [id] }, headers),
  },
  {
    endpoint: 'ai-relationships.delete',
    action: 'ai-relationship.deleted',
    isAdministration: true,
    furnish: proposal,
    ask: ({ send }, headers, id) => send('DELETE', `/api/cmdb/ai-relationships/${id}`, undefined, headers),
  },
  restored('settings/correlation', { latenessMs: 1_000 }),
  restored('settings/inbound', { severities: { x: { bad: 'major' } } }),
  restored('settings/lifecycle', { resolveAfterMs: 3_600_000 }),
  restored('limits', { ingest: 5_000 }),
  settings('correlation', () => ({ latenessMs: 1_000 })),
  settings('inbound', () => ({ severities: { x: { bad: 'major' } } })),
  settings('lifecycle', () => ({ resolveAfterMs: 3_600_000 })),
  settings('discovery', () => ({ authority: ['discovery', 'manual', 'import'] })),
  settings('limits', () => ({ ingest: 5 })),
];

export const CHANGES = ALL.filter(({ endpoint }) => isThere(endpoint));

/** Returns the changes available in this style. */
export const changesOf = (prefix: string): readonly (readonly [title: string, change: Change])[] =>
  CHANGES.filter(({ isAdministration }) => prefix === '/api' || isAdministration !== true).map((one) => [
    one.endpoint,
    one,
  ]);
