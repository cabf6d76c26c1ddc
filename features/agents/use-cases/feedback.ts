import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import type { Group } from '#domain/correlation/records.ts';
import { parseEventId } from '#domain/event/event.ts';
import { invalid, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  AGENTS,
  type AgentId,
  type AgentSubjectKind,
  type Label,
  type LabelSubject,
  type LabelVerdict,
} from '#features/agents/rules/agents.ts';
import { changeConfidence } from '#features/agents/rules/outcomes.ts';
import { findAssessment } from '#features/change-risk/use-cases/assessment-records.ts';
import { readReview } from '#features/discovery/use-cases/review-records.ts';
import { FORECAST_CONFIDENCE, findForecast, storeLabel } from './records.ts';

export interface Feedback {
  readonly agent: AgentId;
  readonly subject: { readonly kind: AgentSubjectKind; readonly id: string };
  readonly verdict: LabelVerdict;
  readonly note: string | null;
}

/** The judged decision by storage ID, with the agent's confidence. */
interface LabelTarget {
  readonly subject: LabelSubject;
  readonly confidence: number | null;
}
type Find = (ports: Ports, tenant: string, id: string) => Promise<LabelTarget | null>;

const ofGroup = ({ id, candidate }: Group): LabelTarget => ({
  subject: { kind: 'group', id },
  confidence: candidate?.confidence ?? null,
});

/** Feedback on a member applies to its group. */
const event: Find = async ({ events, correlation }, tenant, text) => {
  const id = parseEventId(text);
  const found = id && (await events.get(tenant, id));
  if (!found) return null;
  const group = found.correlationId === null ? null : await correlation.group(tenant, found.correlationId);
  return group === null ? { subject: { kind: 'event', id: found.id }, confidence: null } : ofGroup(group);
};

const group: Find = async ({ correlation }, tenant, id) => {
  const found = await correlation.group(tenant, id);
  return found && ofGroup(found);
};

const relationship: Find = async ({ topology }, tenant, id) => {
  const found = await topology.getRelationship(tenant, id);
  return found && { subject: { kind: 'relationship', id }, confidence: found.confidence };
};

const review: Find = async (ports, tenant, id) =>
  (await readReview(ports, tenant, id)) && { subject: { kind: 'review', id }, confidence: null };

const assessment: Find = async ({ records }, tenant, id) => {
  const { probability } = await findAssessment(records, tenant, id);
  const confidence = probability === undefined ? null : changeConfidence(probability);
  return { subject: { kind: 'assessment', id }, confidence };
};

const forecast: Find = async ({ records }, tenant, id) =>
  (await findForecast(records, tenant, id)) && { subject: { kind: 'forecast', id }, confidence: FORECAST_CONFIDENCE };

const FIND: Readonly<Record<AgentSubjectKind, Find>> = { event, group, relationship, review, assessment, forecast };

/** Stores a user's judgment; it replaces an earlier one by the same user. Throws Fault `invalid`, `not-found`. */
export async function giveFeedback(context: UseCaseContext, feedback: Feedback): Promise<Label> {
  const { tenant, ports, caller, receivedAt: at } = context;
  const { agent, subject: said, verdict, note } = feedback;
  const { subjects } = AGENTS[agent];
  if (!subjects.includes(said.kind)) throw invalid('subject.kind', `expected ${subjects.join(' or ')} for ${agent}`);
  const judged = await FIND[said.kind](ports, tenant, said.id);
  if (judged === null) throw notFound(said.kind, said.id);
  const label: Label = { agent, ...judged, verdict, user: caller.id, note, at };
  const entry = audited(context, {
    action: 'agent.judged',
    target: { kind: judged.subject.kind, id: judged.subject.id },
    before: null,
    after: { agent, verdict, note },
  });
  await storeLabel(ports.records, tenant, label, [entry]);
  return label;
}
