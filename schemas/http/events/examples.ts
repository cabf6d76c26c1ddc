/** How fields of the interface look, by name, for the examples of the OpenAPI document: one switch, two hosts, one fault. */

const ULID = '01M7YYCSX1W0SAZZRHKVPG78N3';
const OTHER_ULID = '01M7YYCSX3BK23TDZEM0ZPB2KP';
const EVENT = `EVT-${ULID}`;
const OTHER_EVENT = `EVT-${OTHER_ULID}`;
const GROUP = 'COR-1795261097885-9vh337';
const TIME = '2026-11-21T11:38:17.885Z';
const LATER = '2027-02-19T11:38:17.885Z';
const SWITCH_IP = '10.1.0.20';

const TEXTS: Readonly<Record<string, string>> = {
  ...{ id: ULID, _id: ULID, ciId: ULID, ci_id: ULID, source_ci: ULID, target_ci: OTHER_ULID, targetCIId: OTHER_ULID },
  ...{ eventId: EVENT, event_id: EVENT, primaryEventId: EVENT, rootCauseEvent: EVENT, conflictingEventId: EVENT },
  ...{ parentEventId: ULID, rootCauseCI: ULID, scan_id: ULID, service_id: ULID, review_id: ULID, childEventIds: ULID },
  ...{ relatedEventIds: OTHER_EVENT, affected_cis: ULID, eventIds: EVENT, relatedEvents: OTHER_EVENT, member: ULID },
  ...{ correlationId: GROUP, correlation_id: GROUP, requestId: ULID, request_id: ULID },
  ...{ correlationSignature: '5d1c0a7e9b3f42d86a10c4e7f2b95d38', sourceId: 'sw-1/uplink', source_id: 'sw-1/uplink' },
  ...{ changeType: 'upgrade', plannedDuration: '2h30m', plannedTime: LATER },
  ...{ title: 'Switch link down', description: 'Uplink of sw-1 has lost its carrier', source: 'prometheus' },
  ...{
    hostname: 'sw-1',
    host: 'sw-1',
    fqdn: 'sw-1.example.com',
    target_name: 'sw-1',
    ciName: 'sw-1',
    targetServer: 'db-1',
  },
  ...{ ipAddress: SWITCH_IP, ip_address: SWITCH_IP, ip: SWITCH_IP, targetIP: SWITCH_IP, target_ip: SWITCH_IP },
  ...{ searchedIp: SWITCH_IP, ip_addresses: SWITCH_IP, all_ip_addresses: SWITCH_IP, address: SWITCH_IP },
  ...{ mac_address: '00:1b:44:11:3a:b7', serial_number: 'FCW2140L0GH', manufacturer: 'Cisco', os: 'Debian 12' },
  ...{
    os_guess: 'Linux 6.1',
    service: 'checkout',
    application: 'shop',
    environment: 'production',
    category: 'network',
  },
  ...{
    affectedServices: 'checkout',
    external_key: 'asset-4711',
    username: 'ann',
    department: 'it',
    criticality: 'high',
  },
  ...{ password: 'correct horse battery staple', token: 'flt_…', refreshToken: '…', documentation_url: '/docs' },
  ...{ notes: 'Cable replaced', resolutionNotes: 'Cable replaced', comment: 'Cable replaced', note: 'Cable replaced' },
  ...{ reason: 'Both lost the same uplink', tags: 'network', scopes: 'events.ingest', permissions: 'events.read' },
  ...{ expires_in: '90d', availability: '99.9', response_time: '200ms', role: 'operator', subject: 'ann' },
  ...{
    scanner_id: 'nmap-1',
    scan_type: 'network',
    group: 'db',
    redundancy_group: 'db',
    process: 'nginx',
    processName: 'nginx',
  },
  ...{ protocol: 'tcp', message: 'Done', error: 'expected a name', field: 'name', detail: 'in order', by: 'ann' },
  ...{
    created_by: ULID,
    updated_by: ULID,
    discovered_by: 'manual',
    tenant: 'acme',
    href: `/v1/cmdb/relationships?ci=${ULID}`,
  },
  ...{ visualization_url: `/v1/services/${ULID}/map`, timeRange: '24h', processor: 'dedup', topic: 'events.incoming' },
  ...{ explanation: 'sw-1 is upstream of both hosts', rootCauseHypothesis: 'The uplink of sw-1 failed' },
  ...{
    recommendedActions: 'Check the uplink of sw-1',
    level: 'high',
    payload: '{"status":"firing"}',
    segment: 'prometheus',
  },
  ...{
    strategy: 'dependency',
    strategiesUsed: 'dependency',
    correlationType: 'dependency',
    correlation_type: 'dependency',
  },
  ...{
    dedup_key: 'sw-1/uplink',
    model: 'gpt-5-mini',
    dedupScope: 'system',
    type: 'depends_on',
    name: 'sw-1',
    kind: 'ci',
  },
  ...{ '/metrics': '', 'text/csv': 'name,type,attributes.ip_address\nsw-1,network,10.1.0.20\n', action: 'updated' },
  ...{ 'application/x-ndjson': '{"name":"sw-1","type":"network","attributes":{"ip_address":"10.1.0.20"}}\n' },
  ...{
    'text/html': '<!doctype html>…',
    'text/css': '…',
    'text/javascript': '…',
    'image/png': '…',
    'image/svg+xml': '<svg>…</svg>',
  },
  ...{ 'text/plain': 'faultline_ready 1\n', severity: 'critical', status: 'open', matchedFields: 'ip_address' },
  ...{ snsTopics: 'arn:aws:sns:eu-central-1:123456789012:alarms' },
};

/** A field means something else within these components. */
const WITHIN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  User: { id: ULID, name: 'Ann Example' },
  ApiToken: { name: 'prometheus', kind: 'api_key' },
  IssuedApiToken: { name: 'prometheus', kind: 'api_key' },
  Tenant: { id: 'acme', name: 'Acme' },
  BusinessService: { name: 'checkout', type: 'service' },
};

const NUMBERS: Readonly<Record<string, number>> = {
  ...{ page: 1, pages: 3, totalPages: 3, limit: 20, pageSize: 50, total: 45, count: 3, row: 2, index: 0 },
  ...{ confidence: 0.93, score: 0.93, literalScore: 0.98, factor: 0.95, threshold: 0.7, correlationScore: 0.93 },
  ...{ correlation_score: 0.93, anomalyScore: 0.8, hops: 1, port: 443, open_ports: 443, ports: 443, expiresIn: 900 },
  ...{
    avgResolutionTime: 1_260,
    windowMs: 900_000,
    hours: 24,
    occurrenceCount: 2,
    attempts: 1,
    failed: 0,
    rejected: 0,
  },
};

const TIMES: ReadonlySet<string> = new Set(['timestamp', 'first_seen', 'last_seen', 'submitted_at', 'start', 'from']);
const LATER_TIMES: ReadonlySet<string> = new Set(['expires_at', 'taken_until', 'end']);

const textOf = (name: string, within: string): string | undefined => {
  if (TIMES.has(name) || /(?:_at|At)$/.test(name)) return LATER_TIMES.has(name) ? LATER : TIME;
  return LATER_TIMES.has(name) ? LATER : (WITHIN[within]?.[name] ?? TEXTS[name]);
};

/**
 * A value of this type (`string`, `integer` …) for a field of this name in this component; undefined when the name says nothing.
 * Of an array it is the value of an item.
 */
export const exampleByName = (name: string, within: string, type: string | undefined): unknown => {
  if (type === 'string') return textOf(name, within);
  const number = type === 'integer' || type === 'number' ? NUMBERS[name] : undefined;
  // Some shares are percentages.
  return type === 'integer' && number !== undefined && !Number.isInteger(number) ? Math.round(number * 100) : number;
};
