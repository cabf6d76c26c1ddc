import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { percent } from '#domain/numbers.ts';
import { clockTime, counted, enumeration, Findings } from '#features/ai/rules/findings.ts';
import { type AgentContext, type Answers, cite, largestGroups, sayNoGroup } from './say.ts';

const SHOWN = 5;
const NAMED = 3;
const WORDS = { earliest_severe_event_upstream_dependency: 'others depend on it and it was the first severe event' };
const WHY: Readonly<Record<string, string>> = {
  ...WORDS,
  upstream_dependency: 'others depend on it',
  earliest_severe_event: 'it was the first severe event',
  earliest_event: 'it was the first event',
};

function sayCause(findings: Findings, group: Group, cause: Event | undefined, abstainBelow: number): void {
  const self = cite(findings, group);
  const events = counted(group.size, 'event');
  const { candidate } = group;
  if (candidate === null || cause === undefined || candidate.confidence < abstainBelow) {
    const reason =
      candidate === null || cause === undefined
        ? 'no event stands out'
        : `the best candidate has a confidence of ${percent(candidate.confidence)} only`;
    findings.say(`No cause can be named for ${group.id} (${events}): ${reason}.`, [self]);
    return;
  }
  const certainty = candidate.confidence >= 0.5 ? 'likely' : 'possible';
  const where = cause.ci === null ? '' : ` on ${cause.ci.name}`;
  const word = certainty === 'likely' ? 'Probably' : 'Possibly';
  const cited = findings.event(cause, [
    { name: 'confidence in percent', value: Math.round(candidate.confidence * 100) },
  ]);
  findings.say(
    `${word} "${cause.title}"${where} caused ${group.id} (${events}): ${WHY[candidate.reasoning] ?? candidate.reasoning}, confidence ${percent(candidate.confidence)}.`,
    [self, cited],
    certainty,
  );
}

async function groupsMeant(context: AgentContext, question: Parameters<Answers>[1]) {
  const { groups, events, cis } = question.mentioned;
  const { tenant, ports } = context;
  const ofEvents = await Promise.all(
    events.map(({ correlationId }) => (correlationId === null ? null : ports.correlation.group(tenant, correlationId))),
  );
  const named = [...groups, ...ofEvents.filter((group) => group !== null)];
  if (named.length > 0) return { groups: named, total: named.length };
  if (cis.length === 0)
    return largestGroups(context, question.range).then(({ items, total }) => ({ groups: items, total }));
  const { from, to } = question.range;
  const filter = { ciId: cis.map(({ id }) => id), from, to };
  const { items } = await ports.events.find(tenant, filter, { sort: 'timestamp', order: 'desc', limit: 100 });
  const ids = [...new Set(items.flatMap(({ correlationId }) => correlationId ?? []))].slice(0, 20);
  const found = await Promise.all(ids.map((id) => ports.correlation.group(tenant, id)));
  return { groups: found.filter((group) => group !== null), total: ids.length };
}

const cisNamed = ({ groups, events, cis }: Parameters<Answers>[1]['mentioned']): string =>
  cis.length === 0 || groups.length + events.length > 0
    ? ''
    : ` on ${enumeration(
        cis.map(({ name }) => name),
        NAMED,
      )}`;

/** The cause of the named groups, else of the largest of the time. */
export const rootCause: Answers = async (context, question) => {
  const { tenant, ports } = context;
  const { range, abstainBelow } = question;
  const meant = await groupsMeant(context, question);
  const unique = [...new Map(meant.groups.map((group) => [group.id, group])).values()].slice(0, SHOWN);
  const causes = await ports.events.getMany(
    tenant,
    unique.flatMap(({ candidate }) => candidate?.eventId ?? []),
  );
  const byId = new Map(causes.map((event) => [event.id, event]));
  const findings = new Findings();
  for (const group of unique) sayCause(findings, group, byId.get(group.candidate?.eventId ?? ''), abstainBelow);
  const about = cisNamed(question.mentioned);
  if (meant.total === 0) sayNoGroup(findings, range, about);
  const confidence = unique[0]?.candidate?.confidence ?? 0;
  return {
    findings,
    confidence,
    abstained: unique.every(({ candidate }) => (candidate?.confidence ?? 0) < abstainBelow),
    reasoning:
      meant.total === 0
        ? `Looked for groups with events${about} from ${clockTime(range.from)} to ${clockTime(range.to)}.`
        : `Looked at ${counted(meant.total, 'group')} with events${about} from ${clockTime(range.from)} to ${clockTime(range.to)}; causes are those that the correlation has chosen.`,
    task: 'Tell an operator what probably caused these groups of events, the most important first.',
  };
};
