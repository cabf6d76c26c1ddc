import type { BodyData, StandardBody } from './body.ts';
import type { Delivery, DeliveryKind, Webhook } from './webhook.ts';

/* One group at night, as sent by webhooks. */

const AT = '2026-11-20T02:14:09.000Z';
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqr';

const event = {
  _id: '01M7YWBDXTWDA6R21CQ905J7YQ',
  eventId: 'EVT-01M7YWBDXTWDA6R21CQ905J7YQ',
  source: 'prometheus',
  sourceId: 'PostgresDown/db-1',
  severity: 'critical',
  status: 'open',
  category: 'availability',
  title: 'PostgreSQL does not answer',
  description: 'No connection on port 5432 for 2 minutes',
  timestamp: AT,
  hostname: 'db-1',
  service: 'Shop',
  environment: 'production',
  correlationId: 'COR-1763604849000-7q3k9d',
  correlationSignature: '5d41402abc4b2a76',
  ciId: { _id: '01M7YWBDXTWDA6R21CQ905J7YR', name: 'db-1', type: 'database' },
  occurrenceCount: 1,
  firstOccurrence: AT,
  lastOccurrence: AT,
  details: { job: 'postgres', value: 0 },
  tags: ['team:storage'],
  usual: false,
  createdAt: AT,
  updatedAt: AT,
  conditions: [],
  history: [],
};
const person = { _id: '01M7YWBDXTWDA6R21CQ905J7YT', username: 'ann', name: 'Ann' };
const acknowledged = { ...event, status: 'acknowledged', acknowledgedBy: person, acknowledgedAt: AT };
const resolved = { ...event, status: 'resolved', resolutionNotes: 'Restarted after the disk was full' };

const correlation = {
  correlationId: 'COR-1763604849000-7q3k9d',
  timeSpan: { start: AT, end: '2026-11-20T02:15:30.000Z' },
  eventCount: 7,
  rootCauseCandidate: {
    eventId: event.eventId,
    ciId: event.ciId._id,
    confidence: 0.87,
    reasoning: 'earliest_severe_event_upstream_dependency',
    alternatives: [],
    explains: [],
  },
  status: 'open',
  state: 'open',
  rootCause: event,
};
const ci = {
  id: event.ciId._id,
  name: 'db-1',
  type: 'database',
  status: 'active',
  attributes: { version: '17.2' },
  custom_fields: {},
  created_at: AT,
  updated_at: AT,
  created_by: person._id,
  updated_by: person._id,
  last_seen: null,
  relationships: [],
};
const relationship = {
  id: '01M7YWBDXTWDA6R21CQ905J7YS',
  type: 'depends_on',
  source: { id: '01M7YWBDXTWDA6R21CQ905J7YV', name: 'shop-web', type: 'application' },
  target: { id: ci.id, name: ci.name, type: ci.type },
  attributes: { port: 5432 },
  discovered_by: 'manual',
  confidence: 1,
  created_at: AT,
  updated_at: AT,
};
const report = {
  report_id: '01M7YWBDXTWDA6R21CQ905J7X2',
  template: 'incident-review',
  name: 'Incident review',
  status: 'completed',
  format: 'pdf',
  category: 'operations',
  completed_at: AT,
  expires_at: '2026-11-27T02:14:09.000Z',
  size_bytes: 48_213,
  requested_by: 'Ann Example',
  recipients: ['operations'],
  status_url: 'https://faultline.example.com/v1/reports/01M7YWBDXTWDA6R21CQ905J7X2/status',
  download_url: 'https://faultline.example.com/v1/reports/01M7YWBDXTWDA6R21CQ905J7X2/download?link=eyJhbGciOi',
  link_expires_at: '2026-11-21T02:14:09.000Z',
};
const analysis = {
  eventId: event.eventId,
  anomalyScore: 0.92,
  rootCauseHypothesis: 'db-1 failed first; 6 events came from systems that depend on it',
  relatedEvents: [],
  recommendedActions: ['Look at the disk of db-1', 'See the runbook of PostgreSQL'],
  generatedAt: AT,
  generatedBy: 'rules',
};

const silence = {
  id: 'SIL-01M7YWBDXTWDA6R21CQ905J7Y0',
  state: 'active',
  matcher: { host: 'fra1-*' },
  matches: 'host=fra1-*',
  startsAt: AT,
  endsAt: '2026-11-20T06:00:00.000Z',
  reason: 'new racks',
  createdBy: person,
};

/** The data of each kind; some kinds have several stories. */
export const TOLD: readonly (readonly [name: string, kind: DeliveryKind, data: BodyData])[] = [
  ['event.created', 'event.created', { event }],
  ['event acknowledged', 'event.status_changed', { event: acknowledged, previous_status: 'open' }],
  ['event resolved', 'event.status_changed', { event: resolved, previous_status: 'acknowledged' }],
  ['event in no group', 'event.ungrouped', { event }],
  ['event in no group resolved', 'event.ungrouped_resolved', { event: resolved }],
  ['event in no group joined one', 'event.ungrouped_resolved', { event: { ...event, correlationId: 'COR-1' } }],
  ['correlation.created', 'correlation.created', { correlation }],
  [
    'correlation.created without a cause',
    'correlation.created',
    { correlation: { ...correlation, rootCauseCandidate: null, rootCause: null } },
  ],
  ['correlation.updated', 'correlation.updated', { correlation: { ...correlation, eventCount: 12 } }],
  ['correlation acknowledged', 'correlation.updated', { correlation: { ...correlation, state: 'acknowledged' } }],
  [
    'correlation.resolved',
    'correlation.resolved',
    { correlation: { ...correlation, status: 'closed', state: 'resolved' } },
  ],
  [
    'correlation.escalated',
    'correlation.escalated',
    { correlation, escalation: { from_team: 'Night', to_team: 'Storage', on_call: 'Ann', after_minutes: 10 } },
  ],
  ['ci.created', 'ci.created', { ci }],
  ['ci.updated', 'ci.updated', { ci: { ...ci, status: 'maintenance' } }],
  ['ci.deleted', 'ci.deleted', { ci }],
  ['relationship.created', 'relationship.created', { relationship }],
  ['report.completed', 'report.completed', { report }],
  ['analysis.completed', 'analysis.completed', { analysis }],
  ['silence.planned', 'silence.planned', { silence: { ...silence, state: 'planned' } }],
  ['silence.started', 'silence.started', { silence }],
  ['silence.ended', 'silence.ended', { silence: { ...silence, state: 'past' } }],
  [
    'webhook.overflow',
    'webhook.overflow',
    { overflow: { kind: 'event.created', from: AT, to: '2026-11-20T03:14:09.000Z', count: 4_210 } },
  ],
  ['webhook.test', 'webhook.test', { webhook: { id: 'WHK-01M7YWBDXTWDA6R21CQ905J7X1', name: 'Chat' } }],
  [
    'hostile',
    'event.created',
    { event: { ...event, title: '<!channel> *Down* [click](https://evil.example) & `x`', hostname: 'a\nb' } },
  ],
  ['gone', 'event.status_changed', { event: { id: '01M7YWBDXTWDA6R21CQ905J7YQ' }, previous_status: 'open' }],
  ['cut to nothing', 'correlation.created', { correlation: { id: 'COR-1763604849000-7q3k9d' } }],
];

export const bodyOf = (kind: DeliveryKind, data: BodyData): StandardBody => ({
  event: kind,
  timestamp: AT,
  data,
  webhook_id: 'WHK-01M7YWBDXTWDA6R21CQ905J7X1',
  delivery_id: 'DLV-0c9f2a1be07d4b3f9a51d2c3e4f50617',
  sequence: 4711,
});

export const webhookWith = (more: Partial<Webhook> = {}): Webhook => ({
  id: 'WHK-01M7YWBDXTWDA6R21CQ905J7X1',
  name: 'Chat',
  url: 'https://hooks.example/x',
  events: ['*'],
  headers: {},
  active: true,
  inactiveReason: null,
  format: 'standard',
  filter: null,
  secrets: [{ value: SECRET, until: null }],
  createdAt: 0,
  updatedAt: 0,
  ...more,
});

export const deliveryWith = (more: Partial<Delivery> = {}): Delivery => ({
  id: 'DLV-0c9f2a1be07d4b3f9a51d2c3e4f50617',
  webhookId: 'WHK-01M7YWBDXTWDA6R21CQ905J7X1',
  outgoing: { kind: 'event.created', resource: { kind: 'event', id: event._id }, sequence: 4711, at: Date.parse(AT) },
  createdAt: Date.parse(AT),
  state: 'waiting',
  body: null,
  contentType: 'application/json',
  attempts: [],
  nextAt: 0,
  turn: 0,
  ...more,
});
