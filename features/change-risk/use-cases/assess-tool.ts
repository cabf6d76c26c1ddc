import { invalid } from '#domain/fault.ts';
import { freeText } from '#features/ai/rules/findings.ts';
import { assessChange } from '#features/change-risk/rules/assess-change.ts';
import { ASSESS_INPUT } from '#features/change-risk/schemas/assess-input.ts';
import { ciNamed } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { ASSESS_CHANGE, type AssessChange } from '#features/questions/use-cases/tools/tool.ts';
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
