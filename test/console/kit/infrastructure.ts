import type { TestConsole } from './open-console.ts';

const CIS = `name,type
sw-1,switch
db-1,database
app-1,application
web-1,server
web-2,server
`;
const EDGES = `type,source_ci,target_ci
depends_on,db-1,sw-1
depends_on,app-1,db-1
depends_on,web-1,app-1
depends_on,web-2,app-1
`;
const ALERTS = [
  ['web-1', 'warning', 'Response time above 2 s'],
  ['web-2', 'warning', 'Response time above 2 s'],
  ['app-1', 'major', 'HTTP 503 from checkout'],
  ['db-1', 'critical', 'PostgreSQL unreachable'],
  ['sw-1', 'critical', 'Switch link down'],
] as const;

/** Adds a switch that fails, with its dependents: one group of five events, through the interface that monitors use. */
export async function furnishInfrastructure({ ask, app }: TestConsole, at: number): Promise<void> {
  const csv = { 'content-type': 'text/csv' };
  await ask('POST', '/v1/cmdb/import/ci', CIS, csv);
  await ask('POST', '/v1/cmdb/import/relationships', EDGES, csv);
  const events = ALERTS.map(([hostname, severity, title], n) => ({
    sourceId: `${n}`,
    hostname,
    severity,
    title,
    timestamp: new Date(at - (ALERTS.length - n) * 5_000).toISOString(),
  }));
  await ask('POST', '/api/events/bulk-ingest', { source: 'curl', events });
  await app.idle();
}
