import { slices } from '#domain/slices.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { assessmentsBetween, type StoredAssessment } from '#features/change-risk/use-cases/assessment-records.ts';
import { hasFailed } from '#features/change-risk/use-cases/earlier-changes.ts';
import type { ChangeRiskRead, ChangeRow } from '#features/reports/rules/templates/change-risk.ts';
import { unitFor } from '#features/reports/rules/templates/said.ts';
import { ask, goOn, largest, type ReportReading, resolvedFilter } from './reading.ts';

const MOST_LISTED = 12;
/** Assessments of which it is looked up what became of them, the newest. */
const MOST_JUDGED = 500;
const CIS_PER_CALL = 500;
const DAY_MS = 86_400_000;

async function cisOf({ asking }: ReportReading, ids: readonly string[]): Promise<ReadonlyMap<string, Ci>> {
  const cis = new Map<string, Ci>();
  for (const some of slices(ids, CIS_PER_CALL))
    for (const ci of await asking.ports.topology.getCis(asking.tenant, some)) cis.set(ci.id, ci);
  return cis;
}

async function outcomeOf(
  reading: ReportReading,
  one: StoredAssessment,
  isLookedAt: boolean,
): Promise<ChangeRow['outcome']> {
  const { ports, tenant, receivedAt: now } = reading.asking;
  const { plannedAt } = one;
  if (plannedAt === null) return 'no time given';
  if (plannedAt > now) return 'planned';
  if (!isLookedAt) return 'not looked at';
  goOn(reading);
  if (await hasFailed(ports, tenant, { ...one, plannedAt })) return 'failed';
  return plannedAt + DAY_MS <= now ? 'went well' : 'too early to say';
}

/** Assessments of the range, of one change that was assessed several times the last one. */
async function readRows(reading: ReportReading): Promise<ChangeRow[]> {
  const { asking, chosen } = reading;
  const { ciTypes } = await resolvedFilter(reading);
  const found = await assessmentsBetween(asking.ports.records, asking.tenant, chosen.range);
  const cis = await cisOf(reading, [...new Set(found.map(({ ciId }) => ciId))]);
  const wanted = found.filter(({ ciId }) => ciTypes?.includes(cis.get(ciId)?.type ?? '') ?? true);
  const rows: ChangeRow[] = [];
  for (const [n, one] of wanted.entries()) {
    const ci = cis.get(one.ciId);
    rows.push({
      id: one.id,
      assessedAt: one.at,
      plannedAt: one.plannedAt,
      ciId: one.ciId,
      ci: ci?.name ?? one.ciId,
      ciType: ci?.type ?? null,
      changeType: one.type,
      riskLevel: one.riskLevel,
      riskScore: one.riskScore,
      probability: one.probability ?? null,
      impacted: one.impacted.length,
      services: one.services.length,
      outcome: await outcomeOf(reading, one, n < MOST_JUDGED),
    });
  }
  return rows.sort((a, b) => b.riskScore - a.riskScore || b.assessedAt - a.assessedAt);
}

export async function readChangeRisk(reading: ReportReading): Promise<ChangeRiskRead> {
  const unit = unitFor(reading.chosen.range);
  const heard = await ask(reading, { metric: 'changes', groupBy: unit, isCompared: true });
  const byCi = await ask(reading, { metric: 'changes', groupBy: 'ci' });
  const rows = await readRows(reading);
  return {
    rows,
    total: rows.length,
    heard: heard.total ?? 0,
    heardBefore: heard.previous?.total ?? null,
    unit,
    heardByCi: largest(byCi.rows)
      .filter(({ label }) => label !== 'none')
      .slice(0, MOST_LISTED),
    heardOverTime: heard.rows.map(({ key, value }) => ({ at: Date.parse(key), values: [value ?? 0] })),
  };
}
