import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { type AiCaller, type AiMode, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { insightOf } from '#features/insights/rules/insight.ts';
import { insightsOf, type StoredInsight, storeInsight } from './insight-records.ts';
import { seeCi } from './see-ci.ts';

const TASK =
  'Tell an operator what matters about this configuration item now: what it is, what depends on it, what is wrong with it, and how such problems ended before. Most important first.';

/** A handler's context is one. */
export type InsightContext = UseCaseContext & AiCaller;

export interface Insight {
  readonly ciId: string;
  readonly content: string;
  readonly generatedAt: number;
  readonly grounds: AnswerEvidence;
}

const mayReadEvents = ({ caller }: UseCaseContext): boolean => caller.permissions.has('events.read');

async function make(context: InsightContext, ci: Ci, mode: AiMode): Promise<Insight> {
  const { pack, claims } = insightOf(await seeCi(context, ci));
  const question = { service: 'ci-insight', pack, claims, abstained: false, task: TASK, mode };
  const { claims: said, grounds } = await answer(context, question);
  const content = said.map(({ text }) => text).join('\n');
  return { ciId: ci.id, content, generatedAt: context.receivedAt, grounds };
}

/** The newest that is stored; else one made by rules, which is not stored. Throws Fault `not-found`. */
export async function readInsight(context: InsightContext, ciId: string): Promise<Insight> {
  const { tenant, ports } = context;
  const ci = await findCi(context, ciId);
  const asked = { limit: 1, mayReadEvents: mayReadEvents(context) };
  const [newest] = await insightsOf(ports.records, tenant, ci.id, asked);
  return newest ?? make(context, ci, 'rules');
}

/** Creates and stores an insight. Throws Fault `not-found`. */
export async function makeInsight(context: InsightContext, ciId: string, mode: AiMode): Promise<Insight> {
  requirePermission(context, 'cmdb.read');
  const { tenant, ports } = context;
  const insight = await make(context, await findCi(context, ciId), mode);
  const stored: StoredInsight = { ...insight, id: ports.ids.ulid(), hasEvents: mayReadEvents(context) };
  await storeInsight(ports, tenant, stored);
  return insight;
}

export interface InsightHistory {
  readonly ciId: string;
  readonly insights: readonly StoredInsight[];
}

/** Stored insights, newest first. Throws Fault `not-found`. */
export async function insightHistory(context: InsightContext, ciId: string, limit: number): Promise<InsightHistory> {
  const { tenant, ports } = context;
  const ci = await findCi(context, ciId);
  const insights = await insightsOf(ports.records, tenant, ci.id, { limit, mayReadEvents: mayReadEvents(context) });
  return { ciId: ci.id, insights };
}
