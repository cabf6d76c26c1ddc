import { beforeAll, describe, expect, test } from '@jest/globals';
import { pathOf } from '#api/http/routing/routes.ts';
import type { AnyMount } from '#api/surfaces/endpoint.ts';
import { casesOf } from '#test/conformance/requests.ts';
import { isThere, testWith } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { type Reply, START } from '#test/setup/test-app.ts';
import { endpoints } from '#whole';

/* Two tenants with the same data: what belongs to one answers the other exactly like what does not exist. */

interface Tenant {
  readonly id: string;
  readonly token: string;
  /** Ids by kind. */
  readonly ids: Readonly<Record<string, string | undefined>>;
  /** Every id that belongs to the tenant. */
  readonly all: readonly string[];
}

const app = appOfTests();
let ours: Tenant;
let theirs: Tenant;
let serial = 0;

/** Ids of the form of `Tenant.ids` that do not exist. */
const UNKNOWN: Readonly<Record<string, string>> = {
  event: 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ',
  eventUlid: '01M7YWBDXTWDA6R21CQ905J7YQ',
  group: 'COR-1763629200000-zzzzzz',
  ci: '01M7YWBDXTWDA6R21CQ905J7YR',
  relationship: '01M7YWBDXTWDA6R21CQ905J7YS',
  proposal: '01M7YWBDXTWDA6R21CQ905J7X1',
  assessment: '01M7YWBDXTWDA6R21CQ905J7X2',
  user: '01M7YWBDXTWDA6R21CQ905J7YT',
  token: '01M7YWBDXTWDA6R21CQ905J7YV',
  scanner: '01M7YWBDXTWDA6R21CQ905J7YW',
  scan: '01M7YWBDXTWDA6R21CQ905J7YX',
  review: 'a1'.repeat(32),
  service: '01M7YWBDXTWDA6R21CQ905J7YZ',
  team: '01M7YWBDXTWDA6R21CQ905J7X0',
  webhook: 'WHK-01M7YWBDXTWDA6R21CQ905J7X1',
  session: '01M7YWBDXTWDA6R21CQ905J7X3',
  conversation: '01M7YWBDXTWDA6R21CQ905J7X4',
  report: '01M7YWBDXTWDA6R21CQ905J7X5',
  trial: '01M7YWBDXTWDA6R21CQ905J7X7',
  silence: 'SIL-01M7YWBDXTWDA6R21CQ905J7X6',
  alert: '01a22b13-eabb-dab5-28a2-be826ee1a6bf',
  tenant: 'aliens',
};

const ULID = /[0-9A-HJKMNP-TV-Z]{26}/g;
const idsIn = (value: unknown): string[] => JSON.stringify(value).match(ULID) ?? [];

// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
type Made = any;

const hook = () => ({ name: `w${++serial}`, url: 'https://hooks.invalid/x', events: ['report.completed'] });

/** Two CIs that a scanned machine may be: its scan, and the review that asks which of them it is. */
const scanned = async (tenant: string, send: (method: string, path: string, body?: unknown) => Promise<Made>) => {
  const twin = (name: string) => ({ name, type: 'server', attributes: { ip_address: '10.0.0.8' } });
  const twins = [await send('POST', '/v1/cmdb/ci', twin('one')), await send('POST', '/v1/cmdb/ci', twin('two'))];
  const data = { discovered_hosts: [{ hostname: `new-${tenant}`, ip_address: '10.0.0.8' }] };
  const said = { scan_type: 'network', scanner_id: 'nmap', timestamp: START, data };
  const { scan_id } = await send('POST', '/v1/discovery/scan-data', said);
  await app.app.idle();
  const { hosts } = await send('GET', `/v1/discovery/scans/${scan_id}`);
  return { twins, scan: scan_id as string, review: hosts[0].review_id as string };
};

/** The same incident, user, tokens, scan and service in every tenant. */
const furnish = async (id: string): Promise<Tenant> => {
  const token = await app.tenant(id);
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await app.send(method, path, body, { token });
    if (reply.status > 299) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  };
  const [top, below] = [
    await send('POST', '/v1/cmdb/ci', { name: 'sw-1', type: 'switch', external_key: 'key-1' }),
    await send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'server' }),
  ];
  const edge = { type: 'depends_on', source_ci: below.id, target_ci: top.id };
  const relationship = await send('POST', '/v1/cmdb/relationships', edge);
  /** Undefined: the feature of this endpoint was removed. */
  const when = async <Of>(endpoint: string, make: () => Promise<Of>): Promise<Of | undefined> =>
    isThere(endpoint) ? make() : undefined;
  const proposed = { source: top.id, target: below.id, type: 'communicates-with' };
  const proposal = await when(
    'ai-relationships.create',
    async () => (await send('POST', '/api/cmdb/ai-relationships', proposed)).relationshipId as string,
  );
  const change = { ciId: below.id, changeType: 'restart' };
  const judged = await when('changes.analyze', () => send('POST', '/api/change-analysis/analyze', change));
  const event = { source: 'test', sourceId: '1', severity: 'critical', timestamp: START };
  await send('POST', '/api/events/ingest', { ...event, title: 'Link down', hostname: 'sw-1' });
  const last = await send('POST', '/api/events/ingest', { ...event, title: 'Queries blocked', hostname: 'db-1' });
  const shown = (await send('GET', `/api/events/${last.eventId}`)) as { event: { _id: string; correlationId: string } };
  const person = { username: 'ann', name: 'Ann', password: 'a long enough password', role: 'viewer' };
  const user = await send('POST', '/api/admin/users', person);
  const feed = await send('POST', '/api/admin/tokens', { name: 'feed', role: 'ingest' });
  const scanner = await when('discovery.tokens.create', () => send('POST', '/v1/discovery/tokens', { name: 'nmap' }));
  const found = await when('discovery.submit-scan', () => scanned(id, send));
  const components = [{ ci_id: below.id, role: 'database' }];
  const service = await when('services.create', () => send('POST', '/v1/services', { name: 'Shop', components }));
  const team = await send('POST', '/v1/teams', { name: 'Night', members: [user.data.id] });
  const webhook = await when('webhooks.create', () => send('POST', '/v1/webhooks', hook()));
  const analysis = await when('infrastructure-analysis.start', () =>
    send('POST', '/api/business-service-analyzer/infrastructure-analysis', {}),
  );
  const talk = await when('chat.ask', () => send('POST', '/api/chatbot', { message: 'what is the status of db-1?' }));
  const inventory = { template_id: 'ci-inventory', format: 'csv' };
  const report = await when('reports.generate', () => send('POST', '/v1/reports/generate', inventory));
  const schedule = await when('reports.schedules.create', () =>
    send('POST', '/v1/reports/schedules', { ...inventory, every: 'day' }),
  );
  const quiet = { matcher: { tag: 'isolated' }, endsAt: START + 365 * 86_400_000, reason: 'isolation' };
  const silence = await when('events.silences.create', () => send('POST', '/api/events/silences', quiet));
  const alert = await when('opsgenie.alerts.list', async () => {
    await send('POST', '/v2/alerts', { message: 'Isolated', alias: `alert-${id}` });
    await app.app.idle();
    return (await send('GET', '/v2/alerts')).data[0].id as string;
  });
  const trials = '/api/admin/settings/correlation/trials';
  const trial = await when('admin.settings.correlation.trials.start', () => send('POST', trials, { patch: {} }));
  await app.app.idle();
  const ids = {
    trial: trial?.data.id,
    silence: silence?.silence.id,
    alert,
    report: report?.report_id,
    schedule: schedule?.schedule_id,
    session: analysis?.sessionId,
    event: last.eventId as string,
    eventUlid: shown.event._id,
    group: shown.event.correlationId,
    ci: below.id as string,
    relationship: relationship.id as string,
    proposal,
    assessment: judged?.assessmentId,
    user: user.data.id as string,
    token: feed.data.id as string,
    scanner: scanner?.id,
    scan: found?.scan,
    review: found?.review,
    service: service?.id,
    team: team.id as string,
    webhook: webhook?.id,
    conversation: talk?.conversationId,
    tenant: id,
  };
  const told = [
    top,
    below,
    relationship,
    proposal,
    judged,
    shown,
    user,
    feed,
    scanner,
    found,
    service,
    team,
    webhook,
    analysis?.sessionId,
    talk?.conversationId,
    report?.report_id,
    schedule?.schedule_id,
    silence,
    trial,
  ];
  const all = [...new Set([...idsIn(told), ids.group, ...(alert === undefined ? [] : [alert])])];
  return { id, token, ids, all };
};

beforeAll(async () => {
  ours = await furnish('ours');
  theirs = await furnish('theirs');
});

const closed = casesOf(endpoints).filter(({ endpoint }) => endpoint.permission !== null);

/** A body that the endpoint accepts; unlisted ones receive an object with the id alone. */
const BODIES: Readonly<Record<string, () => Record<string, unknown>>> = {
  'events.ingest': () => ({
    source: 's',
    sourceId: '1',
    severity: 'info',
    title: 'Isolated',
    hostname: `h-${++serial}`,
  }),
  'events.create': () => ({
    source: `s${++serial}`,
    source_id: '1',
    severity: 'low',
    title: 'Isolated',
    description: `x${++serial}`,
  }),
  'events.correlate-manually': () => ({ primaryEventId: ours.ids.event, relatedEventIds: [ours.all[0]] }),
  'events.group-split': () => ({ eventIds: [ours.ids.event], reason: 'isolation' }),
  'events.silences.create': () => ({
    matcher: { tag: 'isolated' },
    endsAt: START + 365 * 86_400_000,
    reason: 'isolation',
  }),
  'alertmanager.silences.set': () => ({
    matchers: [{ name: 'isolated', value: 'yes', isRegex: false }],
    startsAt: START,
    endsAt: START + 365 * 86_400_000,
    createdBy: 'ann',
    comment: 'isolation',
  }),
  'opsgenie.alerts.create': () => ({ message: `Isolated ${++serial}` }),
  'opsgenie.alerts.note': () => ({ note: 'isolation' }),
  'opsgenie.alerts.snooze': () => ({ endTime: START + 86_400_000 }),
  'opsgenie.alerts.assign': () => ({ owner: { id: ours.ids.user } }),
  'events.silences.update': () => ({ reason: `isolation ${++serial}` }),
  'events.silences.preview': () => ({ matcher: { tag: 'isolated' } }),
  'admin.settings.correlation.trials.start': () => ({ patch: { threshold: 0.8 } }),
  'events.set-status': () => ({ status: 'acknowledged' }),
  'events.set-status-of-many': () => ({ ids: [ours.ids.event], status: 'acknowledged' }),
  ...Object.fromEntries(
    ['acknowledge', 'unacknowledge', 'resolve', 'reopen'].map((verb) => [
      `events.groups-${verb}`,
      () => ({ ids: [ours.ids.group] }),
    ]),
  ),
  'events.groups-assign': () => ({ ids: [ours.ids.group], team_id: null }),
  'events.groups-undo': () => ({ operationId: 'unknown' }),
  'events.add-note': () => ({ text: `n${++serial}` }),
  'cmdb.create-relationship': () => ({ type: `t${++serial}`, source_ci: ours.ids.ci, target_ci: ours.ids.ci }),
  'changes.analyze': () => ({ changeType: 'restart' }),
  'agents.query': () => ({ query: 'what happened?' }),
  'chat.ask': () => ({ message: 'what is going on?' }),
  'changes.quick-assess': () => ({ changeType: 'restart' }),
  'reports.generate': () => ({ template_id: 'ci-inventory', format: 'csv' }),
  'reports.schedules.change': () => ({ template_id: 'ci-inventory', format: 'csv', every: 'week' }),
  'reports.schedules.create': () => ({ template_id: 'ci-inventory', format: 'csv', every: 'day' }),
  'reports.ask': () => ({ query: 'events by severity last week' }),
  'ai.holiday-generator': () => ({ country: 'DE', year: 2026 }),
  'ai-relationships.create': () => ({ type: `t${++serial}`, source: ours.ids.ci, target: ours.ids.ci }),
  'ai-relationships.analyze': () => ({ networkConnections: [] }),
  'ai-relationships.update': () => ({ confidence: (++serial % 1_000) / 1_000 }),
  'cmdb.update-ci': () => ({ description: `d${++serial}` }),
  'cmdb.update-relationship': () => ({ attributes: { n: ++serial } }),
  'infrastructure-analysis.start': () => ({ sessionId: ours.ids.session }),
  'services.create': () => ({ name: `s${++serial}` }),
  'webhooks.create': () => hook(),
  'webhooks.update': () => hook(),
  'admin.teams.create': () => ({ name: `s${++serial}` }),
  'admin.teams.update': () => ({ description: `d${++serial}` }),
  'services.update': () => ({ description: `d${++serial}` }),
  'discovery.resolve-review': () => ({}),
};

/** Our own value of a path parameter, where the request is about something else. */
const OWN: readonly (readonly [path: RegExp, kind: string])[] = [
  [/\/services\/|^\/(v1|api)\/services/, 'service'],
  [/\/discovery\/scans/, 'scan'],
  [/\/discovery\/reviews/, 'review'],
  [/\/discovery\/tokens/, 'scanner'],
  [/\/cmdb\/relationships/, 'relationship'],
  [/\/ai-relationships\/(?!analyze)/, 'proposal'],
  [/\/ai-relationships/, 'ci'],
  [/\/(cmdb\/ci|api\/ci|cmdb-ai)/, 'ci'],
  [/\/change-analysis\/assessments/, 'assessment'],
  [/\/trials/, 'trial'],
  [/\/admin\/users/, 'user'],
  [/\/teams/, 'team'],
  [/\/webhooks/, 'webhook'],
  [/infrastructure-analysis/, 'session'],
  [/\/reports\/schedules/, 'schedule'],
  [/\/reports\//, 'report'],
  [/\/silence/, 'silence'],
  [/^\/v2\/alerts/, 'alert'],
  [/\/events\/groups\//, 'group'],
  [/\/admin\/tokens/, 'token'],
  [/./, 'event'],
];
/** Agents are the same for all. */
const ownIn = (path: string): string =>
  path.includes('/agents/') ? 'root-cause' : ours.ids[OWN.find(([pattern]) => pattern.test(path))![1]]!;

/** Ids deeper in a body, or in one that is no JSON object. */
interface Deep {
  readonly title: string;
  readonly body: (id: string) => unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
const CSV = { 'content-type': 'text/csv' };
const seen = (end: object) => ({
  networkConnections: [{ sourceServer: 'sw-1', targetServer: 'db-1', port: 5432, frequency: 99, ...end }],
});
const server = (id: string) => ({ ciId: id, hostname: 'db-1', runningProcesses: [{ name: 'postgres', port: 5432 }] });
const component = (id: string) => ({ components: [{ ci_id: id, role: 'web' }] });
const judged = (kind: string, id: string) => ({ subject: { kind, id }, verdict: 'right' });
const DEEP: Readonly<Record<string, readonly Deep[]>> = {
  ...Object.fromEntries(
    ['create', 'preview'].map((verb) => [
      `events.silences.${verb}`,
      ['ciId', 'below'].map((part) => ({
        title: `matcher.${part}`,
        body: (id: string) => ({ ...BODIES[`events.silences.${verb}`]?.(), matcher: { [part]: id } }),
      })),
    ]),
  ),
  'opsgenie.alerts.assign': [{ title: 'owner.id', body: (id) => ({ owner: { id } }) }],
  'events.group-split': [{ title: 'eventIds', body: (id) => ({ eventIds: [id], reason: 'isolation' }) }],
  'chat.ask': [
    { title: 'message', body: (id) => ({ message: `what is the status of "${id}"?` }) },
    { title: 'context.currentCI', body: (id) => ({ message: 'why?', context: { currentCI: id } }) },
  ],
  'agents.query': [{ title: 'query', body: (id) => ({ query: `what about ${id}?` }) }],
  'ai.generate-insights': [
    { title: 'scope.ciIds', body: (id) => ({ scope: { ciIds: [id] } }) },
    { title: 'scope.serviceId', body: (id) => ({ scope: { serviceId: id } }) },
  ],
  'agents.feedback': [
    { title: 'subject.id of a group', body: (id) => judged('group', id) },
    { title: 'subject.id of an event', body: (id) => judged('event', id) },
  ],
  'services.create': [{ title: 'components[].ci_id', body: (id) => ({ name: `s${++serial}`, ...component(id) }) }],
  'services.update': [{ title: 'components[].ci_id', body: component }],
  'admin.teams.create': [{ title: 'members', body: (id) => ({ name: `s${++serial}`, members: [id] }) }],
  'admin.teams.update': [{ title: 'members', body: (id) => ({ members: [id] }) }],
  'ai-relationships.decide': [
    { title: 'accept', body: (id) => ({ accept: [id] }) },
    { title: 'reject', body: (id) => ({ reject: [id] }) },
  ],
  'analyzer.save': [
    {
      title: 'components[].ciId',
      body: (id) => ({ name: `s${++serial}`, components: [{ ciId: id, role: 'database' }] }),
    },
    {
      title: 'components.servers[].ci_id',
      body: (id) => ({ name: `s${++serial}`, components: { servers: [{ ci_id: id }] } }),
    },
  ],
  'analyzer.discover': [
    { title: 'existingServerIds', body: (id) => ({ processes: ['postgres'], existingServerIds: [id] }) },
    { title: 'searchPatterns.hostnames', body: (id) => ({ searchPatterns: { hostnames: [`*${id}*`] } }) },
  ],
  'analyzer.insights': [
    {
      title: 'serviceMap.classifiedServers[].ciId',
      body: (id) => ({ serviceMap: { classifiedServers: [server(id)] } }),
    },
  ],
  'analyzer.classify': [
    { title: 'servers[].ciId', body: (id) => ({ servers: [server(id)] }) },
    {
      title: 'connections[].source',
      body: (id) => ({
        servers: [server(ours.ids.ci!)],
        connections: [{ source: id, target: ours.ids.ci, port: 5432 }],
      }),
    },
  ],
  'ai-relationships.analyze': [
    { title: 'networkConnections[].sourceServer', body: (id) => seen({ sourceServer: id }) },
    { title: 'networkConnections[].targetServer', body: (id) => seen({ targetServer: id }) },
  ],
  'events.set-status': [
    { title: 'assignedTo', body: (id) => ({ status: 'acknowledged', assignedTo: id }) },
    { title: 'assignedTeam', body: (id) => ({ status: 'acknowledged', assignedTeam: id }) },
  ],
  'cmdb.import-relationships': [
    { title: 'source_ci', headers: CSV, body: (id) => `type,source_ci,target_ci\nt${++serial},${id},sw-1\n` },
    { title: 'target_ci', headers: CSV, body: (id) => `type,source_ci,target_ci\nt${++serial},sw-1,${id}\n` },
  ],
  'cmdb.import-ci': [
    { title: 'external_key', headers: CSV, body: (id) => `external_key,attributes.x\n${id},1\n` },
    { title: 'id', headers: CSV, body: (id) => `id,name,type\n${id},n${++serial},server\n` },
  ],
  'events.bulk-ingest': [
    {
      title: 'events[].ciId',
      body: (id) => ({
        events: [
          { source: 's', sourceId: '1', severity: 'info', title: 'Isolated', hostname: `h-${++serial}`, ciId: id },
        ],
      }),
    },
  ],
};

/** `sourceId` and the `sessionId` of a start are ids that the sender makes; `source` is a CI where relationships are proposed alone. */
const looksLikeId = (endpoint: string, name: string): boolean =>
  (name === 'source' && endpoint.startsWith('ai-relationships')) ||
  (!/^(source_?|session)id$/i.test(name) &&
    /id$|ids$|_ci$|_cis$|^ci$|^near$|^with$|^tenant$|^target$|^actor$|^from$|^to$/i.test(name));
const namesOf = (schema: unknown): string[] => {
  const { shape, def } = schema as { shape?: object; def?: { in?: unknown } };
  return Object.keys(shape ?? (def?.in ? ((def.in as { shape?: object }).shape ?? {}) : {}));
};

interface Place {
  readonly title: string;
  /** Sends the request with this id in this place. */
  readonly send: (id: string) => Promise<Reply>;
}

/** Returns every place in which a mount accepts an id: path parameters, query parameters, fields of the body. */
const placesOf = (one: (typeof closed)[number]): Place[] => {
  const { endpoint, mount, title } = one;
  const method = mount.method.toUpperCase();
  const bodyOf = (extra: Record<string, unknown> = {}) =>
    method === 'GET' || mount.bodyKind === 'none' || mount.body === undefined
      ? undefined
      : { ...BODIES[endpoint.id]?.(), ...extra };
  const send = (path: string, body?: unknown, headers = {}) =>
    app.send(method, path, body, { token: ours.token, headers });
  const own = () => pathOf(mount).replaceAll(/\{\w+\}/g, ownIn(pathOf(mount)));
  const parameters = [...pathOf(mount).matchAll(/\{(\w+)\}/g)].map(([whole, name]): Place => {
    const path = (id: string) => pathOf(mount).replace(whole, encodeURIComponent(id));
    return { title: `${title}: path ${name}`, send: (id) => send(path(id), bodyOf()) };
  });
  const queries = namesOf((mount as AnyMount).query ?? {}).filter((name) => looksLikeId(endpoint.id, name));
  const fields = [...namesOf((mount as AnyMount).body ?? {}), ...extraFields(endpoint.id)].filter((name) =>
    looksLikeId(endpoint.id, name),
  );
  return [
    ...parameters,
    ...queries.map((name) => ({
      title: `${title}: query ${name}`,
      send: (id: string) => send(`${own()}?${name}=${encodeURIComponent(id)}`, bodyOf()),
    })),
    ...fields.map((name) => ({
      title: `${title}: body ${name}`,
      send: (id: string) => send(own(), bodyOf({ [name]: /s$/.test(name) ? [id] : id })),
    })),
    ...(DEEP[endpoint.id] ?? []).map(({ title: place, body, headers }) => ({
      title: `${title}: body ${place}`,
      send: (id: string) => send(own(), body(id), headers),
    })),
  ];
};
/** Fields of unions, which have no shape of their own. */
const UNIONS: Readonly<Record<string, string>> = { 'events.ingest': 'ciId', 'discovery.resolve-review': 'ci_id' };
const extraFields = (id: string): string[] => (id in UNIONS ? [UNIONS[id]!] : []);

/** A reply without what differs from one request to the next. */
const comparable = ({ status, body }: Reply, id: string): string =>
  `${status} ${JSON.stringify(body)}`
    .replaceAll(id, '<given>')
    .replaceAll(ULID, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"(?:request_?id|requestId)":"[^"]*"/gi, '"requestId":"…"')
    // The id of a tool's request is a hash of the question.
    .replaceAll(/(?<="id":"[a-z-]{1,40}:)[0-9a-f]{32}"/g, '<hash>"')
    .replaceAll(/"[dhnstx]\d+"/g, '"<n>"');

const formOf = (id: string): string => id.replaceAll(ULID, '<id>');

const leaks = ({ body }: Reply, given: string): string[] => {
  const text = JSON.stringify(body ?? null);
  return theirs.all.filter((id) => !given.includes(id) && text.includes(id));
};

describe('whatever is listed belongs to the tenant that asks', () => {
  const reading = closed.filter(({ mount }) => mount.method === 'get').map((one) => [one.title, one] as const);
  test.each(reading)('%s', async (_, { mount }) => {
    // Read before any foreign id was sent in our name, so that not even an echo is stored.
    const kinds = [
      'event',
      'ci',
      'relationship',
      'user',
      'token',
      'scanner',
      'scan',
      'review',
      'service',
      'team',
      'proposal',
      'assessment',
      'session',
      'report',
      'alert',
    ];
    const paths = kinds.flatMap((kind) => ours.ids[kind] ?? []).map((id) => pathOf(mount).replaceAll(/\{\w+\}/g, id));
    for (const path of new Set(paths)) {
      expect(leaks(await app.send('GET', path, undefined, { token: ours.token }), '')).toEqual([]);
    }
  });

  test('and so are the numbers', async () => {
    const one = await app.tenant('counts-one');
    const two = await app.tenant('counts-two');
    const event = { source: 's', sourceId: '1', severity: 'major', title: 'Disk full', hostname: 'h' };
    for (const token of [one, one, two]) await app.send('POST', '/api/events/ingest', event, { token });
    const { events } = (await app.send('GET', '/api/events', undefined, { token: one })).body;
    expect(events.map((shown: { occurrenceCount: number }) => shown.occurrenceCount)).toEqual([2]);
    const stats = (await app.send('GET', '/api/events/stats', undefined, { token: two })).body;
    expect(JSON.stringify(stats)).toContain('"total":1');
  });
});

describe('an id of another tenant is like one that does not exist', () => {
  const places = closed.flatMap((one) => placesOf(one)).map((place) => [place.title, place] as const);
  test('there are such places on every surface', () => {
    expect(places.length).toBeGreaterThan(100);
    const deep = Object.entries(DEEP)
      .filter(([endpoint]) => isThere(endpoint))
      .flatMap(([, all]) => all.map(({ title }) => `body ${title}`));
    for (const known of [
      'body relatedEventIds',
      'query with',
      'path eventId',
      'query ciId',
      'body source_ci',
      ...(isThere('changes.analyze') ? ['body ciId'] : []),
      ...(isThere('ai-relationships.analyze') ? ['path ciId'] : []),
      'query source_ci',
      'query from',
      ...(isThere('discovery.resolve-review') ? ['body ci_id'] : []),
      ...deep,
    ])
      expect(places.some(([title]) => title.endsWith(known))).toBe(true);
  });
  test.each(places)('%s', async (_, place) => {
    const answers = new Map<string, string>();
    for (const [kind, unknown] of Object.entries(UNKNOWN)) {
      const foreign = theirs.ids[kind];
      if (foreign === undefined) continue;
      const strange = await place.send(foreign);
      // Unknown ids show only their form.
      const form = formOf(unknown);
      if (!answers.has(form)) answers.set(form, comparable(await place.send(unknown), unknown));
      expect(comparable(strange, foreign)).toBe(answers.get(form));
      expect(leaks(strange, foreign)).toEqual([]);
    }
  });
});

test.each(closed.map((one) => [one.title, one] as const))(
  '%s: X-Tenant-ID of another tenant is refused',
  async (_, one) => {
    const method = one.mount.method.toUpperCase();
    const headers = { 'x-tenant-id': theirs.id };
    const reply = await app.send(method, one.path, method === 'GET' ? undefined : {}, { token: ours.token, headers });
    expect(reply.status).toBe(403);
    expect(leaks(reply, '')).toEqual([]);
  },
);

test('an event that names a CI of another tenant stays unbound', async () => {
  const event = { source: 's', sourceId: '1', severity: 'info', title: 'Where am I', hostname: 'nowhere' };
  const sent = { ...event, ciId: theirs.ids.ci };
  const { eventId } = (await app.send('POST', '/api/events/ingest', sent, { token: ours.token })).body;
  const shown = await app.send('GET', `/api/events/${eventId}`, undefined, { token: ours.token });
  expect(shown.body.event.ciId).toBeUndefined();
});

testWith('ai.search-semantic')('a search finds nothing of another tenant', async () => {
  const found = await app.send('GET', '/api/ai/search-semantic?q=db-1+sw-1+shop+link&limit=50', undefined, {
    token: ours.token,
  });
  expect(found.body.data.results.length).toBeGreaterThan(0);
  expect(leaks(found, '')).toEqual([]);
});

test('a cursor of another tenant opens nothing of it', async () => {
  const page = await app.send('GET', '/api/events?limit=1', undefined, { token: theirs.token });
  const cursor = encodeURIComponent(page.body.pagination.nextCursor);
  const reply = await app.send('GET', `/api/events?limit=5&cursor=${cursor}`, undefined, { token: ours.token });
  expect(leaks(reply, '')).toEqual([]);
});
