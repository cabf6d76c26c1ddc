import { slices } from '#domain/slices.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { ChangeRow } from '#features/reports/rules/templates/change-risk.ts';
import { goOn, type ReportReading } from '#features/reports/use-cases/reading/reading.ts';
import type { ReportParts } from '#features/reports/use-cases/report-parts.ts';
import { assessmentsBetween, type StoredAssessment } from './assessment-records.ts';
import { hasFailed } from './earlier-changes.ts';

/** Assessments of which it is looked up what became of them, the newest. */
const MAX_JUDGED = 500;
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
  if (plannedAt === null) return 'no planned time';
  if (plannedAt > now) return 'planned';
  if (!isLookedAt) return 'not evaluated';
  goOn(reading);
  if (await hasFailed(ports, tenant, { ...one, plannedAt })) return 'failed';
  return plannedAt + DAY_MS <= now ? 'succeeded' : 'pending';
}

/** Assessments of the range, of one change that was assessed several times the last one. */
const changes: ReportParts['changes'] = async (reading, ciTypes) => {
  const { asking, chosen } = reading;
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
      outcome: await outcomeOf(reading, one, n < MAX_JUDGED),
    });
  }
  return rows;
};

/** Changes for reports. */
export const reported: ReportParts = { changes };
