import { describe, expect, test } from '@jest/globals';
import { aiUsage } from './ai-usage.ts';
import { type ChangeRow, changeRisk } from './change-risk.ts';
import type { Chosen } from './chosen.ts';
import { ciInventory } from './ci-inventory.ts';
import { correlationQuality } from './correlation-quality.ts';
import { eventSummary } from './event-summary.ts';
import { type IncidentRow, incidentReview } from './incident-review.ts';
import { serviceHealth } from './service-health.ts';
import type { ReportBody } from './template.ts';

const NOW = Date.parse('2026-11-20T00:00:00Z');
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const chosenBy = (grouping: string | null): Chosen => ({
  range: { from: NOW - 7 * DAY_MS, to: NOW },
  zone: 'UTC',
  grouping,
});
const figuresOf = ({ figures }: ReportBody) => Object.fromEntries(figures.map(({ label, value }) => [label, value]));
/** Every table has a cell for every column. */
const isSquare = ({ details, sections }: ReportBody): boolean =>
  [details, ...sections.flatMap(({ tables }) => tables)].every(({ columns, rows }) =>
    rows.every((row) => row.length === columns.length),
  );

describe('event-summary', () => {
  const read = {
    events: 120,
    before: 60,
    occurrences: 480,
    correlated: 90,
    open: 12,
    resolved: 100,
    unit: 'day' as const,
    resolveMs: 90 * MINUTE_MS,
    resolveMsBefore: 60 * MINUTE_MS,
    acknowledgeMs: null,
    overTime: [{ at: NOW - DAY_MS, values: [1, 2, 3, 4, 5] }],
    bySeverity: [
      { label: 'critical', value: 10 },
      { label: 'major', value: 20 },
      { label: 'info', value: 90 },
    ],
    groups: [
      { label: 'zabbix', events: 80, before: 50, occurrences: 300, resolved: 70, resolveMs: MINUTE_MS },
      { label: 'nagios', events: 30, before: 10, occurrences: 170, resolved: 30, resolveMs: null },
      { label: 'none', events: 10, before: 0, occurrences: 10, resolved: 0, resolveMs: null },
    ],
    groupsTotal: 3,
    cis: [],
    complaints: [{ label: 'Disk full', value: 40 }],
    rows: [
      {
        eventId: 'EVT-1',
        severity: 'critical',
        status: 'resolved',
        title: 'Link down',
        source: 'zabbix',
        ci: 'sw-1',
        ciId: 'ci-1',
        groupId: null,
        began: NOW - DAY_MS,
        last: NOW,
        occurrences: 3,
        resolvedAfterMs: 5,
      },
    ],
  } as const;

  test('tells numbers, and what they were before', () => {
    const told = eventSummary(read, chosenBy('source'));
    expect(told.summary).toEqual([
      '120 events in 7 days, 100% more than the previous 7 days (60).',
      '30 events were critical or major (25%).',
      'Most events by source: zabbix with 80 events, 66.7% of all, then nagios (25%).',
      'Most frequent problem: “Disk full” (40 events).',
      '100 events resolved; mean time to resolve 1h 30m, 1h before.',
      '12 events still unresolved (10%).',
      'Sources sent 480 messages; 75% were duplicates. 75% of events are grouped.',
    ]);
    expect(figuresOf(told)).toEqual({
      events: 120,
      unresolved: 12,
      'mean time to resolve': 90 * MINUTE_MS,
      'duplicates removed': 0.75,
      grouped: 0.75,
    });
    expect([isSquare(told), told.details.total]).toEqual([true, 120]);
    expect(told.sections[1]!.tables[0]!.rows.map(([label]) => label)).toEqual(['zabbix', 'nagios', 'no source']);
  });

  test('tells that there is nothing', () => {
    const nothing = { events: 0, before: 4, occurrences: 0, correlated: 0, open: 0, resolved: 0, groupsTotal: 0 };
    const empty = { overTime: [], bySeverity: [], groups: [], cis: [], complaints: [], rows: [] };
    const nulls = { resolveMs: null, resolveMsBefore: null, acknowledgeMs: null, unit: 'day' as const };
    const told = eventSummary({ ...nothing, ...empty, ...nulls }, chosenBy('source'));
    expect(told.summary).toEqual(['No events in 7 days; 4 events in the previous 7 days.']);
  });

  test('a difference that chance may bring is called one', () => {
    const [first] = eventSummary({ ...read, before: 110 }, chosenBy('source')).summary;
    expect(first).toBe('120 events in 7 days, 9.1% more than the previous 7 days (110) (not significant).');
    expect(eventSummary({ ...read, before: 0 }, chosenBy('source')).summary[0]).toBe(
      '120 events in 7 days, none in the previous 7 days.',
    );
  });
});

describe('ci-inventory', () => {
  const ci = {
    id: '1',
    externalKey: null,
    name: 'db-1',
    type: 'server',
    status: 'active',
    environment: null,
    services: ['Shop', 'Pay'],
    relationships: 0,
    lastSeen: NOW - 40 * DAY_MS,
    createdAt: 0,
    updatedAt: 0,
  };
  const read = {
    cis: 3,
    added: 1,
    unit: 'day' as const,
    addedOverTime: [],
    staleBefore: NOW - 30 * DAY_MS,
    at: NOW,
    groups: [
      { label: 'server', value: 2 },
      { label: 'switch', value: 1 },
    ],
    statuses: [
      { label: 'active', value: 2 },
      { label: 'maintenance', value: 1 },
    ],
    rows: [ci, { ...ci, id: '2', relationships: 4, lastSeen: NOW }, { ...ci, id: '3', lastSeen: null }],
  } as const;

  test('tells what is new, alone and silent', () => {
    const told = ciInventory(read, chosenBy('ci_type'));
    expect(told.summary).toEqual([
      '3 CIs, 1 created in 7 days.',
      'Most frequent CI type: server with 2 CIs (66.7%), then switch with 1 CI.',
      'Not active: 1 CI is maintenance.',
      "2 of them have no relationships, so dependencies can't explain their events.",
      '1 of them was not seen by discovery or import for more than 30 days; 1 was never seen.',
    ]);
    expect(isSquare(told)).toBe(true);
    const [stale] = told.sections[2]!.tables;
    expect(stale!.rows).toEqual([['db-1', 'server', NOW - 40 * DAY_MS, 40 * DAY_MS]]);
  });
});

const incident = (n: number, more: Partial<IncidentRow> = {}): IncidentRow => ({
  id: `COR-${n}`,
  began: NOW - n * DAY_MS,
  last: NOW - n * DAY_MS + 5 * MINUTE_MS,
  events: n + 1,
  ended: NOW - n * DAY_MS + n * 10 * MINUTE_MS,
  severity: 'major',
  state: 'resolved',
  title: 'Link down',
  cause: 'Link down',
  causeEvent: 'EVT-1',
  ci: 'sw-1',
  confidence: 0.8,
  services: ['Shop'],
  ...more,
});

describe('incident-review', () => {
  const edges = [NOW - 7 * DAY_MS, NOW - 2 * DAY_MS, NOW];
  const rows = [
    incident(1),
    incident(2, { ci: 'sw-2', state: 'open', ended: null }),
    incident(3, { confidence: null }),
  ];
  const read = {
    incidents: 3,
    before: 3,
    events: 9,
    unit: 'week' as const,
    groups: [{ label: 'Shop', value: 3 }],
    resolveMs: null,
    edges,
    rows,
  } as const;

  test('tells of the largest, the open ones and causes that come again', () => {
    const told = incidentReview(read, chosenBy('service'));
    expect(told.summary).toEqual([
      '3 groups with 9 events in 7 days, same as the previous 7 days (3).',
      '1 group unresolved; the oldest started 2d ago.',
      'Largest: 4 events within 5m; probable root cause “Link down” on sw-1.',
      'Most groups by service: Shop with 3 (100%).',
      'Root cause of more than one group: sw-1 (2).',
      'Root cause with at least 70% confidence: 2 groups (66.7%).',
      'Mean time to resolve a group: 20m.',
    ]);
    expect(told.figures).toContainEqual({
      label: 'mean time to resolve a group',
      value: 20 * MINUTE_MS,
      kind: 'duration',
    });
    expect(incidentReview({ ...read, resolveMs: MINUTE_MS }, chosenBy('service')).summary.at(-1)).toBe(
      'Mean time to resolve an event: 1m.',
    );
    expect(isSquare(told)).toBe(true);
    const [chart] = told.sections[0]!.charts;
    expect(chart).toMatchObject({ points: [{ values: [0, 1, 0, 0, 0] }, { values: [0, 2, 0, 0, 0] }] });
  });
});

test('service-health tells of the worst, and gives what is not known no score', () => {
  const service = {
    id: '1',
    name: 'Shop',
    criticality: 'high',
    status: 'critical',
    score: 11,
    components: 2,
    openEvents: 2,
    events: 40,
    incidents: 20,
    resolveMs: MINUTE_MS,
    availability: '99.9%',
  };
  const rows = [service, { ...service, name: 'Empty', status: 'unknown', score: null, events: 0 }];
  const numbers = { total: 2, meanScore: 11, events: 40, before: null, resolveMs: MINUTE_MS } as const;
  const ailing = [{ service: 'Shop', ci: 'db-1', role: 'database', severity: 'major', openEvents: 1 }];
  const told = serviceHealth({ ...numbers, rows, unit: 'day', overTime: [], ailing }, chosenBy(null));
  expect(told.summary).toEqual([
    '2 services: 0 healthy now, 1 critical, 1 without components (unknown).',
    'Lowest score: Shop, 11 of 100, 2 open events on its components.',
    '40 events on services in 7 days.',
    'Most affected: Shop with 40 events and 20 groups.',
    'Mean time to resolve: 1m.',
    '1 component has open events now.',
  ]);
  expect([isSquare(told), told.sections[0]!.charts[0]]).toEqual([true, expect.objectContaining({ full: 100 })]);
});

test('correlation-quality puts sizes and confidences into bands, and says what nobody judged', () => {
  const rows = [
    incident(1),
    incident(4, { confidence: 0.95 }),
    incident(9, { confidence: 0.5 }),
    incident(60, { confidence: null }),
  ];
  const groups = [{ label: 'zabbix', events: 100, occurrences: 400, correlatedShare: 0.5 }];
  const judged = [{ name: 'Root cause', decisions: 20, judged: 4, successRate: 0.75, low: 0.3, high: 0.95 }];
  const numbers = { events: 100, before: null, occurrences: 400, correlatedShare: 0.5, correlatedShareBefore: 0.4 };
  const told = correlationQuality({ ...numbers, groups, judged, rows, incidents: 4 }, chosenBy('source'));
  expect(told.summary).toEqual([
    '100 events in 7 days. Sources sent 400 messages; 75% were duplicates.',
    '50% of events are grouped (previous 7 days: 40%).',
    '4 groups: median 5 events, largest 61 events. Root cause identified for all.',
    'Workload: 54 items instead of 400 messages (7.4 messages per item).',
    'Root cause: 75% of 4 decisions with feedback (90 days) were correct (95% interval 30%–95%).',
  ]);
  const [sizes, confidences] = told.sections[1]!.charts.map((chart) =>
    chart.kind === 'columns' ? chart.points.map(({ values }) => values[0]) : [],
  );
  expect([sizes, confidences, isSquare(told)]).toEqual([[1, 1, 1, 0, 1], [0, 1, 1, 1], true]);
  const half = rows.map((row, n) => (n % 2 === 0 ? { ...row, cause: null, confidence: null } : row));
  const unsure = correlationQuality({ ...numbers, groups, judged, rows: half, incidents: 4 }, chosenBy('source'));
  expect(unsure.summary[2]).toMatch(/identified for 2 of 4 \(50%\); other groups have no confident candidate\.$/);
  const unjudged = correlationQuality(
    { ...numbers, groups, judged: [{ ...judged[0]!, successRate: null }], rows, incidents: 4 },
    chosenBy('source'),
  );
  expect(unjudged.summary.at(-1)).toContain('is unknown');
});

test('change-risk holds what became of changes against what was expected', () => {
  const change = (outcome: ChangeRow['outcome'], more: Partial<ChangeRow> = {}): ChangeRow => ({
    id: 'a',
    assessedAt: NOW,
    plannedAt: NOW,
    ci: 'db-1',
    ciId: '1',
    ciType: 'database',
    changeType: 'upgrade',
    riskLevel: 'low',
    riskScore: 10,
    probability: 0.2,
    impacted: 3,
    services: 1,
    outcome,
    ...more,
  });
  const rows = [
    change('planned', { riskLevel: 'critical', riskScore: 90, probability: 0.4 }),
    change('failed', { changeType: 'patch' }),
    change('succeeded'),
    change('no planned time'),
  ];
  const heard = { heard: 5, heardBefore: 0, heardByCi: [], unit: 'day', heardOverTime: [] } as const;
  const told = changeRisk({ rows, total: 4, ...heard }, chosenBy('change_type'));
  expect(told.summary).toEqual([
    '4 assessed changes in 7 days; 1 has high or critical risk (25%).',
    '1 upcoming change; the riskiest (score 90) is upgrade on db-1, failure probability 40%, 3 impacted CIs.',
    '1 of 2 completed changes was followed by a critical or major event within 24h (50%; expected 20%).',
    '5 detected changes (previous 7 days: 0).',
  ]);
  const [outcomes] = told.sections[0]!.tables;
  expect(outcomes!.rows).toEqual([
    ['upgrade', 3, 1, 0, 0, 0.2],
    ['patch', 1, 1, 1, 1, 0.2],
  ]);
  expect(isSquare(told)).toBe(true);
});

test('ai-usage tells costs, failures and what the rules did alone', () => {
  const sum = {
    label: 'root-cause',
    calls: 10,
    failed: 1,
    input: 1_000,
    output: 500,
    cost: 0.25,
    priced: true,
    latencyMs: 20_000,
  };
  const { label: _label, ...row } = sum;
  const days = [{ at: NOW, calls: 10, failed: 1, cost: 0.25 }];
  const rows = [{ ...row, day: NOW, service: 'root-cause', model: 'm', department: null }];
  const groups = [sum, { ...sum, label: 'chat', calls: 0 }];
  const told = aiUsage(
    { total: sum, groups, days, rulesAnswers: 90, budget: { used: 10, limit: 100 }, rows },
    chosenBy('service'),
  );
  expect(told.summary).toEqual([
    '10 model requests in 7 days, 1,500 tokens (1,000 in, 500 out).',
    'Cost: 0.25, 0.025 per request, in the currency of the configured prices.',
    '1 request failed (10%); average latency 2s.',
    'Most requests by service: root-cause with 10 (100%).',
    '90 rule-based answers. 90% of all answers.',
    'Token budget today: 10 of 100 used (10%).',
  ]);
  expect(isSquare(told)).toBe(true);
  const none = aiUsage(
    { total: null, groups: [], days: [], rulesAnswers: 1, budget: { used: 0, limit: 0 }, rows: [] },
    chosenBy('service'),
  );
  expect(none.summary).toEqual(['No model requests in 7 days.', '1 rule-based answer.']);
});
