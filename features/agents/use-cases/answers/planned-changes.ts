import { clockTime, counted, Findings } from '#features/ai/rules/findings.ts';
import { latestAssessments } from '#features/change-risk/use-cases/assessment-records.ts';
import { type AgentContext, describeNone, type RulesAnswer } from './describe.ts';

const SHOWN = 5;
const JUDGED = '/v1/agents/change-risk/calibration';

/** Lists the riskiest planned changes. */
export async function plannedChanges({ tenant, ports, receivedAt }: AgentContext): Promise<RulesAnswer> {
  const findings = new Findings();
  const all = await latestAssessments(ports.records, tenant);
  const planned = all.flatMap(({ plannedAt, ...rest }) =>
    plannedAt !== null && plannedAt >= receivedAt ? [{ ...rest, plannedAt }] : [],
  );
  const riskiest = planned.sort((a, b) => b.riskScore - a.riskScore).slice(0, SHOWN);
  const cis = await ports.topology.getCis(tenant, [...new Set(riskiest.map(({ ciId }) => ciId))]);
  const known = new Map(cis.map((ci) => [ci.id, ci]));
  for (const { ciId, said, riskScore, riskLevel, plannedAt } of riskiest) {
    const ci = known.get(ciId);
    if (ci === undefined) continue;
    const ref = findings.ci(ci, [{ name: 'risk score', value: riskScore }]);
    findings.say(`${said} of ${ci.name} at ${clockTime(plannedAt)}: risk ${riskScore} of 100, ${riskLevel}.`, [ref]);
  }
  if (planned.length === 0) describeNone(findings, 'No planned changes.', { label: 'planned changes', href: JUDGED });
  const reasoning =
    planned.length === 0
      ? 'The question names no known CI, so planned changes are shown.'
      : `The question names no known CI, so these are the riskiest of ${counted(planned.length, 'planned change')}.`;
  return { findings, confidence: 1, reasoning, abstained: false };
}
