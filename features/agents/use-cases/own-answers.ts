import type { UseCaseContext } from '#application/access/context.ts';
import { everyRecord } from '#application/records/list-records.ts';
import { parseEventId } from '#domain/event/event.ts';
import { counted, enumeration, Findings, freeTexts } from '#features/ai/rules/findings.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { AiCaller, AiMode } from '#features/ai/use-cases/answer.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import type { Review } from '#features/discovery/use-cases/review-records.ts';
import type { Intent } from '#features/questions/rules/asking/intents.ts';
import type { Desk } from '#features/questions/use-cases/answering/desk.ts';
import type { MessageReading } from '#features/questions/use-cases/answering/read-message.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { pair } from '#features/questions/use-cases/tools/kinds/explain.ts';
import { contributed, item, PLANNED_CHANGES } from '#features/questions/use-cases/tools/tool.ts';

export type AgentContext = UseCaseContext & AiCaller;

/** A question as read by the assistant's question engine. */
export interface AgentQuestion {
  readonly text: string;
  readonly range: Range;
  readonly desk: Desk;
  readonly reading: MessageReading;
  readonly intent: Intent | null;
}

/** An agent's answer by rules, before a model words it. */
export interface RulesAnswer {
  readonly findings: Findings;
  /** 0 to 1. */
  readonly confidence: number;
  /** The evidence read, and the method, in one sentence. */
  readonly reasoning: string;
  readonly abstained: boolean;
}

export interface AgentAsked {
  readonly text: string;
  readonly timeRange: string | null;
  /** Maximum cost, in the currency of the prices; 0: rules only. */
  readonly budgetLimit: number | null;
  readonly mode: AiMode;
}

/** States that a search found nothing, with the search as evidence. */
const describeNone = (
  findings: Findings,
  text: string,
  looked: { readonly label: string; readonly href: string },
): void =>
  findings.say(text, [
    findings.add({ kind: 'query', id: looked.label, ...looked, facts: [{ name: 'total', value: 0 }] }),
  ]);

const STRATEGIES = 2;

/** Explains two events that a question names by ID; null: it names no two. */
export async function pairOf(_: AgentContext, { reading, desk }: AgentQuestion): Promise<RulesAnswer | null> {
  const [event, other] = reading.ids.filter((id) => parseEventId(id) !== null);
  const row = event === undefined || other === undefined ? null : await desk.find(pair, { event, other });
  if (row === null) return null;
  const refs = [row, desk.ref(row, 1)];
  const joining = row.strategies.filter(({ joined }) => joined).toSorted((a, b) => b.score - a.score);
  const named = joining.slice(0, STRATEGIES).map((one) => `${one.strategy} (${one.reason}, ${one.score.toFixed(2)})`);
  const blocked = row.refusedReason ?? row.notCompared?.reason ?? 'no strategy scored above the threshold';
  const otherwise = row.manual ? 'Merged manually.' : 'Grouped through other events of the group.';
  if (!row.together) desk.say(refs)`Not grouped: ${blocked}.`;
  else if (joining.length > 0) desk.say(refs, 'likely')`Grouped by ${named.join(' and ')}.`;
  else desk.say(refs)`${otherwise}`;
  desk.say(refs)`${row.together ? 'Both are in the same group.' : 'They are not in the same group.'}`;
  const reasoning = 'Based on the stored correlation records of both events.';
  return { findings: desk.findings, confidence: joining[0]?.score ?? 0, reasoning, abstained: false };
}

/** The riskiest of the changes that are planned. */
export async function plannedChanges({ ports }: AgentContext, { desk }: AgentQuestion): Promise<RulesAnswer> {
  const tool = contributed(ports.questionTools, PLANNED_CHANGES);
  const looked = tool === undefined ? null : await desk.look(tool, {});
  const rows = looked?.rows.toSorted((a, b) => b.score - a.score).slice(0, SHOWN) ?? [];
  for (const row of rows) desk.say(row)`${tool?.tell(row, {})}`;
  const { findings } = desk;
  if (rows.length === 0) describeNone(findings, 'No planned changes.', { label: 'planned changes', href: JUDGED });
  const riskiestOf = `these are the riskiest of ${counted(looked?.total ?? 0, 'planned change')}`;
  const shown = rows.length === 0 ? 'planned changes are shown' : riskiestOf;
  return { findings, confidence: 1, reasoning: `The question names no known CI, so ${shown}.`, abstained: false };
}
const JUDGED = '/v1/agents/change-risk/calibration';

const SHOWN = 5;
const NAMED = 8;
const REVIEWS = '/v1/discovery/reviews';

const machineOf = ({ host }: Review): string => host.fqdn ?? host.hostname ?? host.ipAddress ?? 'an unnamed host';

async function describeReviews({ tenant, ports }: AgentContext, findings: Findings): Promise<number> {
  const reviews = await everyRecord<Review>(ports.records, tenant, DISCOVERY_KINDS.review);
  const open = reviews.filter(({ status }) => status === 'open').sort((a, b) => b.updatedAt - a.updatedAt);
  const shown = open.slice(0, SHOWN);
  const cis = await ports.topology.getCis(tenant, [...new Set(shown.flatMap(({ candidates }) => candidates))]);
  const names = new Map(cis.map(({ id, name }) => [id, name]));
  for (const review of shown) {
    const machine = machineOf(review);
    const named = review.candidates.map((id) => names.get(id) ?? id);
    const record = item('record', review.id, machine, [{ name: 'candidates', value: named.length }]);
    const ref = findings.add({ ...record, href: `${REVIEWS}/${review.id}` });
    findings.say(`${machine} matches several CIs: ${enumeration(named, NAMED)}.`, [ref], 'possible');
  }
  if (open.length === 0) describeNone(findings, 'No pending reviews.', { label: 'open reviews', href: REVIEWS });
  return open.length;
}

/** Matches names and addresses to CIs; lists pending reviews if the question contains none. */
export async function reconciliation(context: AgentContext, { desk, reading }: AgentQuestion): Promise<RulesAnswer> {
  const findings = new Findings();
  const things = reading.things.filter(({ kind }) => kind !== 'type' || reading.missing.length === 0).slice(0, SHOWN);
  const nameRef = (name: string) =>
    findings.add({ ...item('query', name, 'CI search', freeTexts({ name })), href: '/v1/cmdb/ci' });
  for (const { kind, said, name, cis } of things) {
    const [ci] = cis;
    if (kind === 'host') {
      const { rows, total } = await desk.look(events, { host: name });
      const [newest] = rows;
      const last = newest === undefined ? '' : `, for example "${newest.title}", ${desk.clock.ago(newest.from)}`;
      findings.say(`${name}: no CI found, but ${counted(total, 'event')} came from this host${last}.`, [nameRef(name)]);
    } else if (cis.length === 1 && ci !== undefined) {
      const what = said.toLowerCase() === ci.name.toLowerCase() ? 'a CI' : `${ci.name}, a CI`;
      findings.say(`${said} is ${what} of type ${ci.type}.`, [findings.ci(ci)]);
    } else {
      const names = cis.map((one) => one.name);
      const many = `${counted(cis.length, 'CI')}: ${enumeration(names, NAMED)}`;
      findings.say(`${said} matches ${many}.`, [nameRef(name)]);
    }
  }
  for (const name of reading.missing.slice(0, SHOWN)) findings.say(`${name}: no CI found.`, [nameRef(name)]);
  const all = things.length + reading.missing.length;
  const open = all > 0 ? 0 : await describeReviews(context, findings);
  const newest = `these are the newest of ${counted(open, 'pending review')}`;
  const shown = open === 0 ? 'pending reviews are shown' : newest;
  const matched = 'Matched IDs, external keys, names and addresses of CIs, like event binding.';
  const reasoning = all > 0 ? matched : `The question names no host, so ${shown}.`;
  const sure = things.filter(({ kind, cis }) => kind !== 'host' && cis.length === 1).length;
  return { findings, confidence: all === 0 ? 1 : sure / all, reasoning, abstained: false };
}
