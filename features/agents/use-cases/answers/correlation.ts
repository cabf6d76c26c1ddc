import { decisionsAbout, linksOf, refusalOf, type StoredLink } from '#application/events/group-membership.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { clockTime, counted, Findings } from '#features/ai/rules/findings.ts';
import { type AgentContext, type Answers, cite, largestGroups, type Said, sayNoGroup } from './say.ts';

const SHOWN = 5;
const LINKS = 3;
const TASK = 'Tell an operator why these events were put into one group, or why they were not.';

const scored = (score: number): string => score.toFixed(2);
const reasonOf = ({ link }: StoredLink): string =>
  link.reasons
    .slice(0, 2)
    .map(({ strategy, reason, score }) => `${strategy} (${reason}, ${scored(score)})`)
    .join(' and ');

/** Two events that a question names. */
async function sayPair({ tenant, ports }: AgentContext, findings: Findings, one: Event, other: Event): Promise<number> {
  const refs = [findings.event(one), findings.event(other)];
  const decisions = await decisionsAbout(ports, tenant, one.id);
  const link = linksOf(decisions, one.id).find((found) => found.other === other.id);
  const names = [other.id, ...(other.correlationId === null ? [] : [other.correlationId])];
  const guard = link?.refusedBy ?? decisions.map((decision) => refusalOf(decision, names)).find((found) => found);
  if (link !== undefined && link.refusedBy === undefined)
    findings.say(`They belong together by ${reasonOf(link)}: score ${scored(link.link.score)}.`, refs, 'likely');
  else if (guard !== undefined) findings.say(`They were kept apart by the guard ${guard}.`, refs);
  else findings.say('No strategy relates them closely enough: there is no link between them.', refs);
  const isTogether = one.correlationId !== null && one.correlationId === other.correlationId;
  findings.say(isTogether ? `Both are in ${one.correlationId}.` : 'They are not in one group.', refs);
  return link?.link.score ?? 0;
}

async function sayGroup({ tenant, ports }: AgentContext, findings: Findings, group: Group): Promise<number> {
  const about = group.candidate?.eventId ?? group.foundedBy;
  const [event, decisions] = await Promise.all([ports.events.get(tenant, about), decisionsAbout(ports, tenant, about)]);
  const links = linksOf(decisions, about)
    .filter(({ refusedBy }) => refusedBy === undefined)
    .slice(0, LINKS);
  const self = cite(findings, group);
  const from = event === null ? null : findings.event(event);
  const why = links.map(reasonOf).filter((text) => text !== '');
  const text = why.length === 0 ? 'no link is kept' : `its strongest links are by ${[...new Set(why)].join('; ')}`;
  findings.say(`${group.id} has ${counted(group.size, 'event')}: ${text}.`, [self, from], 'likely');
  return links[0]?.link.score ?? 0;
}

const span = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  `from ${clockTime(from)} to ${clockTime(to)}`;

/** Why events are one group or not. */
export const correlation: Answers = async (context, { mentioned, range }): Promise<Said> => {
  const findings = new Findings();
  const [one, other] = mentioned.events;
  if (one !== undefined && other !== undefined) {
    const confidence = await sayPair(context, findings, one, other);
    const reasoning = 'Read the decisions that were kept when the later of the two events came.';
    return { findings, confidence, reasoning, abstained: false, task: TASK };
  }
  const { tenant, ports } = context;
  const ofEvent = one?.correlationId ? await ports.correlation.group(tenant, one.correlationId) : null;
  if (one !== undefined && ofEvent === null)
    findings.say('It is in no group: nothing near it in time was related closely enough.', [findings.event(one)]);
  const named = [...mentioned.groups, ...(ofEvent === null ? [] : [ofEvent])];
  const found = named.length > 0 || one !== undefined ? null : await largestGroups(context, range);
  const groups = found === null ? named : found.items.slice(0, SHOWN);
  if (found?.total === 0) sayNoGroup(findings, range);
  const scores: number[] = [];
  for (const group of groups) scores.push(await sayGroup(context, findings, group));
  const reasoning =
    found === null
      ? 'Read the decisions that were kept about the events.'
      : found.total === 0
        ? `Looked for groups with events ${span(range)}.`
        : `Read the decisions about the largest of ${counted(found.total, 'group')} with events ${span(range)}.`;
  return { findings, confidence: scores[0] ?? 0, reasoning, abstained: false, task: TASK };
};
