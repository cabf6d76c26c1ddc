import type {
  Arrival,
  Candidate,
  CorrelationInput,
  Enriched,
  GroupChange,
  ResolvedSettings,
} from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import type { AiAnalysis, Condition, Event, EventBefore } from '#domain/event/event.ts';
import type {
  ByHand,
  Incoming,
  Link,
  Occurrence,
  Operated,
  Receipt,
  SavedEvent,
  Trail,
} from '#domain/event/incoming.ts';
import type { TopologyChange } from '#domain/topology/change.ts';
import type { RejectedRecord, RequestReceipts, TopicName, TopicValues } from '#schemas/topics/values.ts';

/** A value with every optional property: a property that is new in the domain does not compile until it is here. */
type Whole<T> = T extends readonly (infer Item)[]
  ? readonly Whole<Item>[]
  : T extends Uint8Array
    ? T
    : T extends object
      ? { readonly [K in keyof T]-?: Whole<Exclude<T[K], undefined>> }
      : T;

/** The largest whole number that avsc writes exactly; positions stay below it. */
const BIG = Number.MAX_SAFE_INTEGER - 1;
const NOON = 1_795_262_400_000;
const ann = { id: 'u-ann', username: 'ann', name: 'Ann Ünsal' };
const team = { id: 't-1', name: 'Storage' };
const ci = { id: '01J', name: 'db-1', type: 'database', method: 'fqdn' } as const;
const details = { text: 'ü', deep: { list: [1, null, { a: true }] }, empty: {}, number: 0.1, lone: '\ud800' };
const impact = {
  level: 'high',
  affectedServices: [{ id: 's', name: 'Shop', criticality: 'critical' }],
  affectedUsers: null,
};
const analysis: Whole<AiAnalysis> = {
  anomalyScore: 0.25,
  rootCauseHypothesis: 'a disk',
  relatedEvents: ['e2'],
  recommendedActions: ['replace it'],
  generatedAt: NOON,
  generatedBy: 'model',
  model: 'm-1',
  ciId: 'c1',
  correlationId: 'COR-1-a',
  confidence: 0.5,
  abstained: false,
  degraded: 'busy',
  history: { text: 'never before', events: 0, episodes: 0, days: 30 },
  citations: [{ ref: 'E1', kind: 'event', id: 'EVT-e1', label: 'Disk full', href: '/api/events/EVT-e1' }],
  refs: { history: ['E1'], hypothesis: ['E1'], actions: [['E1'], []], warnings: [['G1']] },
  warnings: ['by time alone'],
  certainties: ['fact', 'possible', 'fact', 'possible', 'likely'],
};
const reason = {
  strategy: 'temporal',
  score: 0.91,
  literalScore: 0.9,
  reason: 'close_in_time',
  details: { gapMs: 12 },
};
const link: Whole<Link> = { other: 'e2', score: 0.91, literalScore: 0.9, reasons: [reason] };

const words = {
  description: 'nothing left',
  category: 'storage',
  hostname: 'db-1',
  ipAddress: '192.0.2.7',
  service: 'shop',
  application: 'orders',
  environment: 'production',
};

const occurrence: Whole<Occurrence> = {
  newId: 'e1',
  source: 'zabbix',
  sourceId: 'z-1',
  severity: 'critical',
  title: 'Disk full',
  ...words,
  timestamp: NOON,
  ongoing: true,
  ci,
  identity: 'i',
  signature: 's',
  conditionId: 'c',
  dedupWindowMs: 86_400_000,
  tags: ['a', ''],
  details,
  assignedTo: ann,
  assignedTeam: team,
  businessImpact: impact,
  status: 'suppressed',
  untimed: true,
  plain: true,
  moment: true,
  update: true,
  maxBehindMs: BIG,
  returnAfterMs: 900_000,
  escalation: 'same_event',
  silencing: { by: 'SIL-1', until: NOON, over: true },
};
/** Nothing optional, and null where that is allowed. */
const bareOccurrence: Occurrence = {
  newId: 'e1',
  source: 'zabbix',
  sourceId: 'z-1',
  severity: 'info',
  title: '',
  timestamp: 0,
  ci: null,
  identity: 'i',
  signature: 's',
  conditionId: null,
  dedupWindowMs: 0,
  tags: [],
  details: {},
};

const reference = { source: 'zabbix', sourceId: 'z-1', conditionId: null };
const mark = { at: NOON, notes: 'seen', author: 'bob', ...reference, conditionId: 'c' };
const trail: Whole<Trail> = { id: 'a1', address: '10.0.0.1', department: 'network', expiresAt: NOON, via: 'mcp' };
const apart = {
  id: 'p1',
  from: 'COR-1-a',
  eventIds: ['e1', 'e2'],
  reason: 'two faults',
  restores: ['COR-2-b', 'COR-3-c'],
} as const;
const hand: Whole<ByHand> = { by: ann, at: NOON, trail };
const operated: Whole<Operated> = {
  operation: 'o1',
  groupId: 'g1',
  by: ann,
  trail,
  action: 'group.resolved',
  subjects: ['g1', 'EVT-e1'],
  said: 'resolved 2 events',
};
const standing: Whole<EventBefore> = {
  id: 'e1',
  status: 'open',
  conditions: [],
  silencing: { by: 'SIL-1', until: NOON, over: true },
  assignedTo: ann,
  assignedTeam: team,
  acknowledgedBy: ann,
  acknowledgedAt: NOON,
  resolvedBy: ann,
  resolvedAt: NOON,
  resolutionNotes: 'done',
  resolutionCategory: 'manual-fix',
};
const asks: readonly Whole<Incoming['ask']>[] = [
  { kind: 'occurred', occurrence },
  { kind: 'recovered', at: NOON, untimed: true, notes: 'over', ...reference, conditionId: 'c', maxBehindMs: BIG },
  { kind: 'acknowledged', ...mark, occurrence },
  { kind: 'unacknowledged', ...mark, occurrence },
  { kind: 'suppressed', ...mark, occurrence },
  { kind: 'unsuppressed', ...mark, occurrence },
  {
    kind: 'status-set',
    eventId: 'e1',
    status: 'resolved',
    by: ann,
    notes: 'done',
    category: 'manual-fix',
    until: NOON,
    assignedTo: { user: ann },
    assignedTeam: { team: { id: 't1', name: 'Night' } },
    trail,
  },
  {
    kind: 'operated',
    eventIds: ['e1', 'e2'],
    from: ['open'],
    status: 'resolved',
    notes: 'done',
    ...operated,
    category: 'manual-fix',
    assignedTo: { user: ann },
    assignedTeam: { team },
  },
  { kind: 'undone', setAt: 2 ** 40, events: [standing], ...operated },
  { kind: 'noted', eventId: 'e1', by: ann, text: 'the cable is ordered', trail },
  { kind: 'assigned', eventId: 'e1', correlationId: 'g1', moves: true, leaves: true },
  { kind: 'related', eventId: 'e1', links: [link], manual: true, by: ann, notes: 'same rack', trail, apart },
  { kind: 'bound', eventId: 'e1', ci, businessImpact: { level: 'high', affectedServices: [], affectedUsers: null } },
  { kind: 'rewired', eventId: 'e1' },
  { kind: 'analysed', eventId: 'e1', analysis },
  { kind: 'expired', eventId: 'e1', silence: { heard: NOON, category: 'auto-resolved', notes: 'no updates for 24h' } },
  { kind: 'unsilenced', eventId: 'e1', by: 'SIL-1', next: { by: 'maintenance:c1', until: NOON, over: true } },
  { kind: 'forgotten' },
];
const bareAsks: readonly Incoming['ask'][] = [
  { kind: 'occurred', occurrence: bareOccurrence },
  { kind: 'recovered', at: 0, ...reference },
  { kind: 'acknowledged', at: 0, ...reference },
  { kind: 'status-set', eventId: 'e1', status: 'acknowledged', by: ann },
  { kind: 'status-set', eventId: 'e1', status: 'open', by: ann },
  { kind: 'noted', eventId: 'e1', by: ann, text: 'the cable is ordered' },
  { kind: 'operated', eventIds: ['e1'], from: ['open'], ...operated, groupId: null },
  { kind: 'undone', setAt: 0, events: [], ...operated, groupId: null },
  {
    kind: 'status-set',
    eventId: 'e1',
    status: 'acknowledged',
    by: ann,
    assignedTo: { user: null },
    assignedTeam: { team: null },
  },
  { kind: 'related', eventId: 'e1', links: [], manual: false, by: null },
  { kind: 'expired', eventId: 'e1' },
  { kind: 'unsilenced', eventId: 'e1', by: 'SIL-1' },
];

const condition: Whole<Condition> = {
  id: 'c',
  position: BIG,
  plain: true,
  since: NOON,
  last: NOON + 1,
  title: 'Disk full',
  description: 'of db-1',
  severity: 'critical',
  sourceId: 'z-1',
  source: 'nagios',
  tags: ['a'],
};
const {
  newId: _id,
  conditionId: _condition,
  dedupWindowMs: _window,
  ongoing: _ongoing,
  untimed: _untimed,
  plain: _plain,
  moment: _moment,
  update: _update,
  maxBehindMs: _behind,
  returnAfterMs: _return,
  escalation: _escalation,
  ...shared
} = occurrence;
const event: Whole<Event> = {
  ...shared,
  tenant: 'acme',
  id: 'e1',
  status: 'resolved',
  conditions: [condition],
  count: 3,
  firstOccurrence: NOON,
  lastOccurrence: NOON + 1,
  correlationId: 'g1',
  acknowledgedBy: ann,
  acknowledgedAt: NOON,
  resolvedBy: ann,
  resolvedAt: NOON,
  resolutionNotes: 'done',
  resolutionCategory: 'false-positive',
  reportedTimestamp: 1,
  problemSince: NOON - 1,
  returns: 2,
  aiAnalysis: analysis,
  history: [
    {
      at: NOON,
      by: ann,
      from: 'open',
      to: 'resolved',
      notes: 'done',
      position: 2 ** 40,
      severity: { from: 'minor', to: 'critical' },
      assignedTo: { from: null, to: ann },
      assignedTeam: { from: { id: 't1', name: 'Night' }, to: null },
    },
  ],
  usual: true,
  seen: { bin: 2_992_104, bits: 2 ** 25 - 1 },
  createdAt: NOON,
  updatedAt: NOON,
  supersedes: 'e0',
  supersededBy: 'e2',
  createdPosition: 2 ** 40 + 1,
  position: BIG,
};
const { newId: _bare, conditionId: _none, dedupWindowMs: _zero, ...bareShared } = bareOccurrence;
const bareEvent: Event = {
  ...bareShared,
  tenant: 'acme',
  id: 'e1',
  status: 'open',
  conditions: [{ id: 'd', position: 1 }],
  count: 1,
  firstOccurrence: 0,
  lastOccurrence: 0,
  correlationId: null,
  history: [{ at: 0, by: null, from: null, to: 'open', position: 0 }],
  usual: false,
  seen: { bin: 0, bits: 0 },
  createdAt: 0,
  updatedAt: 0,
  createdPosition: 0,
  position: 0,
};
const saved: Whole<SavedEvent> = {
  happened: 'related',
  event,
  previousStatus: 'open',
  receivedAt: NOON,
  links: [link],
  manual: true,
  apart,
  hand,
  again: 'returned',
  left: 'COR-1785312000000-abc',
};

const chain = [
  { ci: 'c1', hops: 1, via: null },
  { ci: 'c2', hops: 2, via: 'c1' },
];
const arrival: Whole<Arrival> = {
  tenant: 'acme',
  position: BIG,
  eventId: 'e1',
  time: NOON,
  severity: 'warning',
  signature: 's',
  identity: 'i',
  system: 'db-1',
  services: ['shop'],
  ciId: 'c0',
  hasRelationships: true,
  above3: 2,
  below3: 5,
  chain,
  suppressed: true,
  usual: true,
  complaint: { kind: 'down', known: 'disk_full' },
  rebound: true,
  template: 't',
  commonness: 1,
  source: 'zabbix',
  rhythm: 60_000,
  problem: 'p',
  spreads: true,
  habit: 1.5,
  again: 'supersedes',
  supersedes: 'e0',
};
const bareArrival: Arrival = {
  ...arrival,
  services: [],
  ciId: null,
  chain: [],
  complaint: { kind: 'unknown', known: null },
};
const settings: Whole<ResolvedSettings> = {
  ...DEFAULT_SETTINGS,
  strategies: { ...DEFAULT_SETTINGS.strategies, temporal: { enabled: false, windowMs: 900_000 } },
  heartbeats: ['ping'],
  showEffectsAs: 'active',
};
const enriched: Whole<Enriched> = {
  arrival,
  rates: { quiet: false, tenant: 1e-7, uncommon: 1e-8, rare: 0, signature: 2e-9, ci: 0, service: { shop: 0.5 } },
  settings,
  late: true,
  near: [{ ci: 'c1', hops: 1, via: null, criticalHops: 0 }],
  truncated: true,
  degree: 1,
  reach2: 2,
  reach3: 3,
  all: 100_000,
  upstream: chain,
  wholes: [{ ci: 'c9', parts: 3 }],
  turn: { kind: 'ended', eventId: 'e1', at: NOON },
};
const hit = { other: 'e2', score: 0.1, literalScore: 0.2, reason: 'same_service', details: { services: ['shop'] } };
const findings: readonly Whole<CorrelationInput>[] = [
  {
    kind: 'facts',
    arrival,
    upstream: chain,
    wholes: [{ ci: 'c9', parts: 3 }],
    settings,
    quiet: true,
    links: [link],
    manual: true,
    late: true,
    apart,
    hand,
  },
  { kind: 'ended', eventId: 'e1', at: NOON },
  { kind: 'returned', eventId: 'e1', at: NOON },
  { kind: 'hits', strategy: 'pattern', eventId: 'e1', hits: [hit], cut: 4 },
  { kind: 'passed', strategy: 'service', through: BIG },
  { kind: 'forgotten' },
];

const candidate: Whole<Candidate> = {
  eventId: 'e1',
  ciId: null,
  byParts: true,
  score: 0.8,
  confidence: 1,
  reasoning: 'earliest_event',
  explains: [{ ciId: 'c1', hops: 2 }],
  explained: 120,
  alternatives: [{ eventId: 'e2', ciId: 'c9', score: 0.4 }],
  evidence: {
    share: 1,
    score: 2,
    clues: [{ kind: 'parts', eventId: 'e1', worth: 0.5, cis: 2, habit: 0.25, parts: { saying: 2, all: 3 } }],
  },
};
const group: Whole<GroupChange['group']> = {
  tenant: 'acme',
  id: 'g1',
  aliases: ['g2'],
  status: 'merged',
  mergedInto: 'g0',
  foundedBy: 'e1',
  foundedAt: NOON,
  first: NOON,
  last: NOON,
  size: 2,
  candidate,
  createdPosition: 1,
  position: BIG,
};
const changes: readonly Whole<GroupChange>[] = [
  ...(['created', 'joined', 'merged', 'closed', 'root-cause'] as const).map((kind) => ({
    kind,
    group,
    events: ['e1'],
  })),
  { kind: 'closed', group: { ...group, status: 'closed', mergedInto: null, candidate: null }, events: [] },
];

const receipts: readonly Whole<Receipt>[] = [
  {
    ok: true,
    outcome: 'duplicate_updated',
    id: 'e1',
    count: 2,
    correlationId: 'g1',
    skewed: true,
    suppressedBy: 'SIL-1',
  },
  { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null, skewed: true, suppressedBy: 'SIL-1' },
  { ok: false, fault: 'not-found', message: 'no', data: { eventIds: ['e1'] } },
];
const bareReceipt: Receipt = { ok: false, fault: 'conflict', message: 'no' };
const answers: readonly RequestReceipts[] = [
  { request: 'r-1', receipts: [...receipts, bareReceipt].map((receipt, index) => ({ index, receipt })) },
  { request: '', receipts: [] },
];

const topology: readonly Whole<TopologyChange>[] = [
  { tenant: 'acme', of: 'relationship', kind: 'removed', ids: ['r1'], version: 7 },
];
const letters: readonly Whole<RejectedRecord>[] = [
  {
    topic: 'events.saved',
    partition: 23,
    offset: BIG,
    position: BIG,
    processor: 'enrich',
    reason: 'it threw',
    attempts: 3,
    at: NOON,
    value: Buffer.from([0, 255, 1]),
  },
];

/** Values of each topic: every kind, with all that is optional and with nothing of it. */
export const topicSamples: { readonly [Name in TopicName]: readonly TopicValues[Name][] } = {
  'events.incoming': [
    ...asks.map((ask): Whole<Incoming> => ({ ask, receivedAt: NOON, deliveryId: 'd' })),
    ...bareAsks.map((ask): Incoming => ({ ask, receivedAt: 0 })),
  ],
  'events.saved': [
    saved,
    { happened: 'created', event: bareEvent, receivedAt: 0 },
    { happened: 'forgotten', receivedAt: NOON },
  ],
  'events.enriched': [enriched, { ...enriched, arrival: bareArrival, rates: { ...enriched.rates, service: {} } }],
  'correlation.hits': [...findings, { kind: 'facts', arrival: bareArrival, upstream: [], settings }],
  'correlation.changes': changes,
  'topology.changed': topology,
  'events.receipts': answers,
  'events.rejected': letters,
};
