import { clockTime, factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import { INPUTS } from '#features/questions/schemas/tool-input.ts';
import { personNames } from '#features/questions/use-cases/queries/people.ts';
import { item, PLANNED_CHANGES, type PlannedChanges } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';
import { latestAssessments } from './assessment-records.ts';

/** Assessed changes whose planned time is not over, the next first. */
export const plannedTool: PlannedChanges = {
  name: PLANNED_CHANGES,
  title: 'List planned changes',
  description: 'Planned changes, with risk.',
  input: INPUTS.none,
  permission: 'cmdb.read',
  async run({ tenant, ports, receivedAt: now }) {
    const all = await latestAssessments(ports.records, tenant);
    const planned = all.flatMap(({ plannedAt, ...rest }) =>
      plannedAt !== null && plannedAt + (rest.durationMs ?? 0) >= now ? [{ ...rest, plannedAt }] : [],
    );
    const cis = await ports.topology.getCis(tenant, [...new Set(planned.map(({ ciId }) => ciId))]);
    const names = new Map(cis.map(({ id, name }) => [id, name]));
    const users = await personNames({ ports, tenant });
    const rows = planned.flatMap(({ id, ciId, said, by, plannedAt, durationMs, riskLevel, riskScore }) => {
      const ciName = names.get(ciId);
      const span = { from: iso(plannedAt), to: iso(plannedAt + (durationMs ?? 0)) };
      const risk = { level: riskLevel, score: riskScore };
      return ciName === undefined
        ? []
        : [{ id, ciId, ciName, change: said, by: users.get(by) ?? null, ...span, ...risk }];
    });
    return { rows: rows.toSorted((a, b) => a.from.localeCompare(b.from)), total: rows.length };
  },
  items: ({ id, ciName, change, from, level, score, by }) => [
    {
      ...item(
        'record',
        id,
        `${change} of ${ciName}`,
        factsOf({ from, risk: level, 'risk score': score }),
        freeTexts({ by }),
      ),
      href: `/api/change-analysis/assessments/${id}`,
    },
  ],
  noun: 'assessment',
  tell: ({ ciName, change, from, level, score }) =>
    `${change} of ${ciName} at ${clockTime(Date.parse(from))}: risk ${score} of 100, ${level}.`,
  none: 'No planned changes.',
};
