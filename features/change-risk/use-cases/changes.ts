import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import type { Criticality } from '#domain/event/business-impact.ts';
import { invalid } from '#domain/fault.ts';
import type { Ci, Surviving } from '#domain/topology/topology.ts';
import { type AiCaller, type AiMode, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { assessChange, type ChangeRisk } from '#features/change-risk/rules/assess-change.ts';
import { type ChangePicture, criticalityOf } from '#features/change-risk/rules/change-picture.ts';
import { type StoredAssessment, storeAssessment, storeWording } from './assessment-records.ts';
import { MAX_HEARD, type PlannedChange, seeChange } from './see-change.ts';

const TASK =
  'Tell a change manager why the risk of this change is as it is, and which questions a reviewer should ask. The score stands: do not name another one.';
const MAX_AFFECTED = 100;
const MAX_SERVICES = 50;

export type ChangeContext = UseCaseContext & AiCaller;
export interface ChangeAsked extends PlannedChange {
  readonly mode: AiMode;
}

interface AffectedSystem {
  readonly ciId: string;
  readonly name: string;
  readonly criticality: Criticality;
  readonly impact: 'outage' | 'degraded' | 'protected';
}
export interface AssessedChange {
  readonly picture: ChangePicture;
  readonly risk: ChangeRisk;
  readonly affected: readonly AffectedSystem[];
  readonly summary: string;
  readonly grounds: AnswerEvidence;
}
export interface StoredChangeAssessment extends AssessedChange {
  readonly assessmentId: string;
}

/** An unknown CI inside a body is the caller's mistake. */
async function ciOf({ tenant, ports }: ChangeContext, id: string): Promise<Ci> {
  const [ci] = await ports.topology.getCis(tenant, [id]);
  if (ci === undefined) throw invalid('ciId', `no CI with ID ${id}`);
  return ci;
}

/** A loss without a spare path left is an outage. */
const savedAs = (groups: readonly Surviving[]): AffectedSystem['impact'] =>
  groups.some(({ surviving, required }) => surviving <= required) ? 'degraded' : 'protected';

/** The nearest first. */
async function affectedBy({ tenant, ports, receivedAt }: ChangeContext, { impact }: ChangePicture) {
  const failing = impact.impacted.map(({ ci, name, hops }) => ({ ci, name, hops, impact: 'outage' as const }));
  const saved = impact.protected.map(({ ci, name, hops, groups }) => ({ ci, name, hops, impact: savedAs(groups) }));
  const nearest = [...failing, ...saved].sort((a, b) => a.hops - b.hops).slice(0, MAX_AFFECTED);
  const [found, byCi] = await Promise.all([
    ports.topology.getCis(
      tenant,
      nearest.map(({ ci }) => ci),
    ),
    ports.memory.services.of(tenant, receivedAt),
  ]);
  const cis = new Map(found.map((ci) => [ci.id, ci]));
  return nearest.map(({ ci: ciId, name, impact: outcome }): AffectedSystem => {
    const ci = cis.get(ciId);
    const criticality = ci === undefined ? 'medium' : criticalityOf(ci, byCi.get(ciId) ?? []);
    return { ciId, name, criticality, impact: outcome };
  });
}

async function assess(context: ChangeContext, asked: ChangeAsked): Promise<AssessedChange> {
  requirePermission(context, 'cmdb.read');
  const picture = await seeChange(context, await ciOf(context, asked.ciId), asked);
  const risk = assessChange(picture);
  const { pack, claims } = risk.findings;
  const question = {
    service: 'change-analysis',
    pack,
    claims,
    abstained: false,
    task: TASK,
    kept: risk.kept,
    mode: asked.mode,
  };
  const { claims: said, grounds } = await answer(context, question);
  const summary = said.map(({ text }) => text).join(' ');
  return { picture, risk, affected: await affectedBy(context, picture), summary, grounds };
}

/** Assesses a change and stores the assessment for later ones. Throws Fault `invalid` for an unknown CI. */
export async function analyzeChange(context: ChangeContext, asked: ChangeAsked): Promise<StoredChangeAssessment> {
  const { tenant, ports, receivedAt: at, caller } = context;
  const assessed = await assess(context, asked);
  const { picture, risk } = assessed;
  const assessment: StoredAssessment = {
    id: ports.ids.ulid(),
    ciId: picture.ci.id,
    type: picture.type ?? 'other',
    said: asked.changeType,
    description: asked.description,
    at,
    by: caller.id,
    plannedAt: asked.plannedAt,
    durationMs: asked.durationMs,
    riskScore: risk.riskScore,
    riskLevel: risk.riskLevel,
    probability: risk.probability,
    impacted: picture.impact.impacted.slice(0, MAX_HEARD).map(({ ci }) => ci),
    services: picture.services.slice(0, MAX_SERVICES).map(({ service }) => service.id),
  };
  const { probability, impact, confidence, factors, recommendations } = risk;
  const { summary, grounds } = assessed;
  await storeWording(ports.records, tenant, assessment, {
    summary,
    probability,
    impact,
    confidence,
    factors,
    recommendations,
    grounds,
    hasEvents: picture.events !== null,
  });
  await storeAssessment(ports.records, tenant, assessment);
  return { ...assessed, assessmentId: assessment.id };
}

/** Assesses a change without a time; stores nothing. */
export const quickAssess = (
  context: ChangeContext,
  asked: Pick<ChangeAsked, 'ciId' | 'changeType' | 'mode'>,
): Promise<AssessedChange> => assess(context, { ...asked, description: null, plannedAt: null, durationMs: null });
