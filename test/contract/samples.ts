import type { Arrival, Decision, Enriched, Group, ResolvedSettings } from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS } from '#domain/correlation/settings/tenant-settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';

export const NOON = Date.UTC(2026, 0, 15, 12);
export const MINUTE = 60_000;

/** A ULID that sorts by its number. */
export const ulidOf = (number: number): string => `01${String(number).padStart(24, '0')}`;

/** An event with every required field set; `number` determines id and time. */
export const sampleEvent = (number: number, changes: Partial<Event> = {}): Event => ({
  tenant: 'acme',
  id: ulidOf(number),
  source: 'zabbix',
  sourceId: `s-${number}`,
  severity: 'major',
  status: 'open',
  title: `Disk full on host-${number}`,
  timestamp: NOON + number * MINUTE,
  ci: null,
  identity: `identity-${number}`,
  signature: 'signature',
  conditions: [],
  count: 1,
  firstOccurrence: NOON + number * MINUTE,
  lastOccurrence: NOON + number * MINUTE,
  correlationId: null,
  tags: ['prod'],
  details: { value: 97 },
  history: [],
  usual: false,
  seen: { bin: 1, bits: 1 },
  createdAt: NOON + number * MINUTE,
  updatedAt: NOON + number * MINUTE,
  createdPosition: number,
  position: number,
  ...changes,
});

/** An event in which every optional field is set too. */
export const fullEvent = (number: number): Required<Event> => {
  const actor = { id: 'u1', username: 'kim', name: 'Kim' };
  return {
    ...sampleEvent(number),
    description: 'The volume /var is full',
    category: 'storage',
    hostname: 'db-1.example.org',
    ipAddress: '10.0.0.1',
    service: 'shop',
    application: 'orders',
    environment: 'prod',
    ci: { id: 'ci-1', name: 'db-1', type: 'server' },
    conditions: [{ id: 'zabbix 1', position: number, source: 'zabbix', tags: ['a'] }],
    correlationId: 'COR-1-abcdef',
    status: 'resolved',
    assignedTo: actor,
    assignedTeam: { id: 't1', name: 'Storage' },
    acknowledgedBy: actor,
    acknowledgedAt: NOON + MINUTE,
    resolvedBy: actor,
    resolvedAt: NOON + number * MINUTE + 90_000,
    resolutionNotes: 'cleaned up',
    resolutionCategory: 'manual-fix',
    aiAnalysis: {
      anomalyScore: 0.5,
      rootCauseHypothesis: 'logs',
      relatedEvents: [ulidOf(7)],
      recommendedActions: ['rotate'],
      generatedAt: NOON,
      generatedBy: 'rules',
      ciId: 'ci-1',
      confidence: 0.4,
      abstained: false,
      history: { text: 'Unusual', events: 0, episodes: 0, days: 30 },
      citations: [{ ref: 'E1', kind: 'event', id: 'EVT-1', label: 'Disk full', href: '/api/events/EVT-1' }],
      refs: { history: ['E1'], hypothesis: ['E1'], actions: [['E1']] },
    },
    businessImpact: { level: 'high', affectedServices: [], affectedUsers: null },
    history: [{ at: NOON, by: actor, from: 'open', to: 'resolved', notes: 'done', position: number }],
    usual: true,
    reportedTimestamp: NOON + number * MINUTE - 1_000,
    supersedes: ulidOf(8),
    supersededBy: ulidOf(9),
    problemSince: NOON - MINUTE,
    returns: 2,
    silencing: { by: 'SIL-1', until: NOON + 60 * MINUTE, over: true },
  };
};

const settings: ResolvedSettings = {
  ...DEFAULT_SETTINGS,
  strategies: { ...DEFAULT_SETTINGS.strategies, temporal: { enabled: true, windowMs: 30 * MINUTE } },
};

const sampleArrival = (number: number, changes: Partial<Arrival>): Arrival => ({
  tenant: 'acme',
  position: number,
  eventId: ulidOf(number),
  time: NOON + number * MINUTE,
  severity: 'major',
  signature: 'signature',
  identity: `identity-${number}`,
  system: `host-${number}`,
  services: ['shop'],
  ciId: 'ci-1',
  hasRelationships: true,
  above3: 2,
  below3: 1,
  chain: [{ ci: 'ci-2', hops: 1, via: 'ci-1' }],
  suppressed: false,
  usual: false,
  complaint: { kind: 'down', known: 'disk_full' },
  rebound: false,
  ...changes,
});

export const sampleEnriched = (number: number, arrival: Partial<Arrival> = {}): Enriched => ({
  arrival: sampleArrival(number, arrival),
  near: [
    { ci: 'ci-2', hops: 1, via: 'ci-1', criticalHops: 1 },
    { ci: 'ci-3', hops: 2, via: 'ci-2', criticalHops: 0 },
    { ci: 'ci-4', hops: 1, via: null, criticalHops: 0 },
  ],
  truncated: true,
  degree: 2,
  reach2: 3,
  reach3: 3,
  all: 40,
  upstream: [{ ci: 'ci-2', hops: 1, via: 'ci-1' }],
  rates: { quiet: false, tenant: 1e-6, signature: 2e-6, ci: 0, service: { shop: 3e-6 } },
  settings,
  late: false,
});

export const sampleLink = (other: number): Link => ({
  other: ulidOf(other),
  score: 0.93,
  literalScore: 0.95,
  reasons: [{ strategy: 'temporal', score: 0.93, literalScore: 0.95, reason: 'close_in_time', details: { gapMs: 5 } }],
});

export const sampleDecision = (number: number, changes: Partial<Decision> = {}): Decision => ({
  tenant: 'acme',
  position: number,
  eventId: ulidOf(number),
  accepted: [],
  refused: [],
  groupId: null,
  joined: [],
  merged: [],
  closed: [],
  cut: {},
  manual: false,
  ...changes,
});

export const sampleGroup = (number: number, changes: Partial<Group> = {}): Group => ({
  tenant: 'acme',
  id: `COR-${number}-abcdef`,
  aliases: [],
  status: 'open',
  mergedInto: null,
  foundedBy: ulidOf(number),
  foundedAt: NOON + number * MINUTE,
  first: NOON + number * MINUTE,
  last: NOON + (number + 5) * MINUTE,
  size: number + 1,
  candidate: null,
  createdPosition: number,
  position: number,
  ...changes,
});
