import { AGENTS } from '#features/agents/rules/agents.ts';
import { listAgents } from '#features/agents/use-cases/performance.ts';
import type { Grouping } from '#features/questions/rules/query.ts';
import type { CorrelationQualityRead, JudgedAgent } from '#features/reports/rules/templates/correlation-quality.ts';
import { readIncidentRows } from './read-incidents.ts';
import { ask, goOn, type ReportReading } from './reading.ts';

async function judgedAgents(reading: ReportReading): Promise<JudgedAgent[]> {
  goOn(reading);
  const agents = (await listAgents(reading.asking)).filter(({ id }) => id === 'correlation' || id === 'root-cause');
  return agents.map(({ id, performance: { decisionsMade, judged, successRate, interval } }) => ({
    name: AGENTS[id].name,
    decisions: decisionsMade,
    judged,
    successRate,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
  }));
}

export async function readCorrelationQuality(reading: ReportReading): Promise<CorrelationQualityRead> {
  const groupBy = (reading.chosen.grouping ?? 'source') as Grouping;
  const events = await ask(reading, { metric: 'events', groupBy, isCompared: true });
  const told = await ask(reading, { metric: 'occurrences', groupBy });
  const correlated = await ask(reading, { metric: 'correlated_share', groupBy, isCompared: true });
  const incidents = await ask(reading, { metric: 'incidents' });
  const toldBy = new Map(told.rows.map(({ key, value }) => [key, value]));
  const correlatedBy = new Map(correlated.rows.map(({ key, value }) => [key, value]));
  return {
    events: events.count,
    before: events.previous?.count ?? null,
    occurrences: told.total ?? 0,
    correlatedShare: correlated.total,
    correlatedShareBefore: correlated.previous?.total ?? null,
    groups: events.rows
      .filter(({ count }) => count > 0)
      .map(({ key, label, count }) => ({
        label,
        events: count,
        occurrences: toldBy.get(key) ?? 0,
        correlatedShare: correlatedBy.get(key) ?? null,
      })),
    judged: await judgedAgents(reading),
    rows: await readIncidentRows(reading),
    incidents: incidents.count,
  };
}
