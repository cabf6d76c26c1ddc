import { decisionsAbout, linksOf, refusalOf, type StoredLink } from '#application/events/group-membership.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import type { AgentContext, AgentQuestion, RulesAnswer } from './describe.ts';

const TASK = 'Tell an operator why these events were put into one group, or why they were not.';

const scored = (score: number): string => score.toFixed(2);
const reasonOf = ({ link }: StoredLink): string =>
  link.reasons
    .slice(0, 2)
    .map(({ strategy, reason, score }) => `${strategy} (${reason}, ${scored(score)})`)
    .join(' and ');

/** Explains from stored decisions why two events are grouped or not. Returns the score of their link. */
async function describePair(
  { tenant, ports }: AgentContext,
  findings: Findings,
  one: Event,
  other: Event,
): Promise<number> {
  const refs = [findings.event(one), findings.event(other)];
  const decisions = await decisionsAbout(ports, tenant, one.id);
  const link = linksOf(decisions, one.id).find((found) => found.other === other.id);
  const names = [other.id, ...(other.correlationId === null ? [] : [other.correlationId])];
  const guard = link?.refusedBy ?? decisions.map((decision) => refusalOf(decision, names)).find((found) => found);
  if (link !== undefined && link.refusedBy === undefined)
    findings.say(`Grouped by ${reasonOf(link)}: score ${scored(link.link.score)}.`, refs, 'likely');
  else if (guard !== undefined) findings.say(`Not grouped: blocked by rule “${guard}”.`, refs);
  else findings.say('Not grouped: no strategy scored above the threshold.', refs);
  const isTogether = one.correlationId !== null && one.correlationId === other.correlationId;
  const group = isTogether ? findings.add({ kind: 'group', id: one.correlationId, label: 'group', facts: [] }) : null;
  findings.say(isTogether ? 'Both are in the same group.' : 'They are not in the same group.', [...refs, group]);
  return link?.link.score ?? 0;
}

/** Explains why two events named by ID are in one group or not; null: the question names fewer. */
export async function pairOf(context: AgentContext, { reading }: AgentQuestion): Promise<RulesAnswer | null> {
  const ids = reading.ids.flatMap((id) => parseEventId(id) ?? []);
  const [one, other] = await context.ports.events.getMany(context.tenant, ids);
  if (one === undefined || other === undefined) return null;
  const findings = new Findings();
  const confidence = await describePair(context, findings, one, other);
  return {
    findings,
    confidence,
    reasoning: 'Based on the stored correlation decisions.',
    abstained: false,
    task: TASK,
  };
}
