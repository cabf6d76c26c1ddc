import type { UseCaseContext } from '#application/access/context.ts';
import { requirePermission } from '#application/access/require-permission.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { findService } from '#application/services/service-store.ts';
import type { Claim } from '#domain/ai/evidence.ts';
import { invalid } from '#domain/fault.ts';
import { clockTime, Findings } from '#features/ai/rules/findings.ts';
import { type Range, readRange, type SaidRange } from '#features/ai/rules/time/range.ts';
import { type AiCaller, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { type Finding, INSIGHT_KINDS, type InsightKind } from '#features/detectors/rules/finding.ts';
import { ranked } from '#features/detectors/rules/rank.ts';
import { DAY_MS, type DetectorAsking, eventsHref, type Looked } from './asking.ts';
import { MAX_DAYS, runDetectors } from './run-detectors.ts';

/** Default range. */
const USUAL_DAYS = 7;
/** Placeholder where a service has no CI. */
const NO_CI = 'none';

export interface InsightsAsked {
  readonly ciIds: readonly string[] | null;
  readonly serviceId: string | null;
  readonly timeRange: string | SaidRange | null;
  /** Null: all. */
  readonly kinds: readonly InsightKind[] | null;
}

/** A finding with a stable id, and its citations. */
export interface FoundInsight {
  readonly id: string;
  readonly finding: Finding;
  readonly refs: readonly string[];
}

export interface GeneratedInsights {
  readonly insights: readonly FoundInsight[];
  readonly range: Range;
  readonly looked: readonly Looked[];
  /** Kinds that failed, because of a timeout of a store. */
  readonly failed: readonly InsightKind[];
  /** Findings beyond the listed ones. */
  readonly more: number;
  readonly grounds: AnswerEvidence;
}

async function rangeOf({ ports, tenant, receivedAt: now }: UseCaseContext, said: InsightsAsked['timeRange']) {
  if (said === null) return { from: now - USUAL_DAYS * DAY_MS, to: now };
  const { zone } = await aiSettings(ports.records, tenant);
  const range = readRange(said, now, zone);
  if (range === null)
    throw invalid(
      'scope.timeRange',
      'expected a time range, for example 24h, last_30_days, yesterday, or { from, to }',
    );
  if (range.to - range.from > MAX_DAYS * DAY_MS) throw invalid('scope.timeRange', `expected at most ${MAX_DAYS} days`);
  return { from: range.from, to: Math.min(range.to, now) };
}

/** Throws Fault `invalid` for a CI that is none, `not-found` for a service. */
async function askingOf(context: UseCaseContext, asked: InsightsAsked): Promise<DetectorAsking> {
  const { tenant, ports, receivedAt } = context;
  const { ciIds, serviceId } = asked;
  const range = await rangeOf(context, asked.timeRange);
  const of = { tenant, ports, receivedAt, range };
  if (serviceId !== null) {
    requirePermission(context, 'services.read');
    const { body: service } = await findService(ports.records, tenant, serviceId);
    const components = [...new Set(service.components.map(({ ciId }) => ciId))];
    const own = components.length === 0 ? [NO_CI] : components;
    return { ...of, ciIds: own, scope: { ofService: { names: [service.name], ciIds: own } } };
  }
  if (ciIds === null) return { ...of, ciIds: null, scope: {} };
  const found = await ports.topology.getCis(tenant, ciIds);
  const known = new Set(found.flatMap(({ id, formerly = [] }) => [id, ...formerly]));
  const unknown = ciIds.findIndex((id) => !known.has(id));
  if (unknown >= 0) throw invalid(`scope.ciIds[${unknown}]`, `no CI with ID ${ciIds[unknown]}`);
  const ids = [...new Set(found.map(({ id }) => id))];
  return { ...of, ciIds: ids, scope: { ciIds: ids } };
}

interface InsightClaim {
  readonly claim: Claim;
  readonly insight: FoundInsight;
}

/** Each finding as a sentence with its evidence; one that there is no room for is left out. */
function say({ ports, tenant }: UseCaseContext, found: readonly Finding[], findings: Findings): InsightClaim[] {
  return found.flatMap((finding) => {
    const before = findings.claims.length;
    findings.say(finding.detail, finding.cite(findings), finding.confidence >= 0.9 ? 'fact' : 'likely');
    const claim = findings.claims[before];
    if (claim === undefined) return [];
    const id = `INS-${ports.crypto.sha256(`${tenant} ${finding.kind} ${finding.subject}`).slice(0, 24)}`;
    return [{ claim, insight: { id, finding, refs: claim.refs } }];
  });
}

/** Returns the sentence for a range without findings. */
function describeNothing(findings: Findings, { range }: DetectorAsking, failed: readonly InsightKind[]): void {
  const ref = findings.add({
    kind: 'query',
    id: 'events-of-range',
    label: 'Events in the range',
    href: eventsHref(range),
    facts: [
      { name: 'from', value: clockTime(range.from) },
      { name: 'to', value: clockTime(range.to) },
    ],
  });
  const rest = failed.length === 0 ? '' : ' Partial results: some detectors timed out.';
  findings.say(`No findings from ${clockTime(range.from)} to ${clockTime(range.to)}.${rest}`, [ref]);
}

/** Runs the detectors; no model is asked. Throws Fault `invalid`, `not-found`, `forbidden`. */
export async function generateInsights(
  context: UseCaseContext & AiCaller,
  asked: InsightsAsked,
): Promise<GeneratedInsights> {
  requirePermission(context, 'events.read');
  requirePermission(context, 'cmdb.read');
  const asking = await askingOf(context, asked);
  const wanted = new Set(asked.kinds ?? INSIGHT_KINDS);
  const { found, looked, failed } = await runDetectors(asking, wanted);
  const shown = ranked(found);
  const findings = new Findings();
  const said = say(context, shown, findings);
  if (said.length === 0) describeNothing(findings, asking, failed);
  const { pack, claims } = findings;
  const question = {
    service: 'insights',
    pack,
    claims,
    abstained: said.length === 0,
    task: '',
    mode: 'rules',
  } as const;
  const answered = await answer(context, question);
  const held = new Set(answered.claims);
  const insights = said.filter(({ claim }) => held.has(claim)).map(({ insight }) => insight);
  return {
    insights,
    range: asking.range,
    failed,
    more: found.length - insights.length,
    looked,
    grounds: answered.grounds,
  };
}
