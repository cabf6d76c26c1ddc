import { invalid } from '#domain/fault.ts';
import { clockTime, factsOf, freeText, freeTexts } from '#features/ai/rules/findings.ts';
import { assessChange } from '#features/change-risk/rules/assess-change.ts';
import { ASSESS_INPUT } from '#features/change-risk/schemas/assess-input.ts';
import { INPUTS } from '#features/questions/schemas/tool-input.ts';
import { personNames } from '#features/questions/use-cases/queries/people.ts';
import { ciNamed } from '#features/questions/use-cases/tools/kinds/cis.ts';
import {
  ASSESS_CHANGE,
  type AssessChange,
  item,
  PLANNED_CHANGES,
  type PlannedChanges,
} from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';
import { latestAssessments } from './assessment-records.ts';
import { seeChange } from './see-change.ts';

const REASONS = 6;

export const assessTool: AssessChange = {
  name: ASSESS_CHANGE,
  title: 'Assess a change',
  description: 'Risk of a planned change to a CI, with the most important reasons.',
  input: ASSESS_INPUT,
  permission: 'cmdb.read',
  async run(asking, { ci: named, change, at }) {
    const { tenant, ports } = asking;
    const meant = await ciNamed(asking, 'ci', named);
    const [ci] = await ports.topology.getCis(tenant, [meant.id]);
    if (ci === undefined) throw invalid('ci', 'no CI with this ID or name');
    const plannedAt = at === undefined ? null : Date.parse(at);
    const planned = { ciId: ci.id, changeType: change, description: null, plannedAt, durationMs: null };
    const risk = assessChange(await seeChange(asking, ci, planned));
    const kept = new Set(risk.kept.map(({ text }) => text));
    const reasons = risk.findings.claims.map(({ text }) => text).filter((text) => !kept.has(text));
    const row = {
      ciId: ci.id,
      ciName: ci.name,
      level: risk.riskLevel,
      score: risk.riskScore,
      confidence: risk.confidence,
      reasons: reasons.slice(0, REASONS),
    };
    return { rows: [row], total: 1 };
  },
  items: ({ ciId, ciName, level, score, reasons }) => [
    {
      kind: 'ci',
      id: ciId,
      label: ciName,
      facts: [
        { name: 'risk', value: level },
        { name: 'risk score', value: score },
        ...reasons.map((text) => freeText('reason', text)),
      ],
    },
  ],
  noun: 'assessment',
  tell: ({ ciName, level, score }) => `Risk of the change to ${ciName}: ${level}, ${score} of 100.`,
  more: ({ reasons }) => reasons,
  none: 'No CI with this name.',
};

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
    const rows = planned.flatMap(({ id, ciId, said, description, by, plannedAt, durationMs, ...risked }) => {
      const ciName = names.get(ciId);
      const span = { from: iso(plannedAt), to: iso(plannedAt + (durationMs ?? 0)) };
      const risk = { level: risked.riskLevel, score: risked.riskScore };
      return ciName === undefined
        ? []
        : [{ id, ciId, ciName, change: said, description, by: users.get(by) ?? null, ...span, ...risk }];
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
