import { clockTime, counted, Findings } from '#features/ai/rules/findings.ts';
import { assessChange } from '#features/change-risk/rules/assess-change.ts';
import { latestAssessments } from '#features/change-risk/use-cases/assessment-records.ts';
import { seeChange } from '#features/change-risk/use-cases/see-change.ts';
import { type AgentContext, type Answers, type Said, sayNone } from './say.ts';

const SHOWN = 5;
const JUDGED = '/v1/agents/change-risk/calibration';
const TASK = 'Tell a change manager why the risk is as it is. The scores stand: do not name other ones.';

async function sayPlanned({ tenant, ports, receivedAt }: AgentContext, findings: Findings): Promise<number> {
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
  if (planned.length === 0) sayNone(findings, 'No change is planned.', { label: 'planned changes', href: JUDGED });
  return planned.length;
}

/** How risky a change of the CI that is named would be; without one which planned changes are the riskiest. */
export const changeRisk: Answers = async (context, { text, mentioned }): Promise<Said> => {
  const [named] = mentioned.cis;
  const [ci] = named === undefined ? [] : await context.ports.topology.getCis(context.tenant, [named.id]);
  if (ci !== undefined) {
    const change = { ciId: ci.id, changeType: text, description: null, plannedAt: null, durationMs: null };
    const risk = assessChange(await seeChange(context, ci, change));
    const { findings, confidence, riskScore, riskLevel } = risk;
    findings.say(`The risk of the change is ${riskScore} of 100, ${riskLevel}.`, [findings.ci(ci)]);
    findings.lead();
    const reasoning =
      'Judged as quick-assess does, by the kind of change, what hangs on the CI and what became of earlier ones.';
    return { findings, confidence, reasoning, abstained: false, task: TASK };
  }
  const findings = new Findings();
  const planned = await sayPlanned(context, findings);
  const reasoning =
    planned === 0
      ? 'The question names no known CI, so planned changes were looked for.'
      : `The question names no known CI, so these are the riskiest of ${counted(planned, 'planned change')}.`;
  return { findings, confidence: 1, reasoning, abstained: false, task: TASK };
};
