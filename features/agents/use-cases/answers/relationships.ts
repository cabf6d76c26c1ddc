import { joinEnds } from '#application/cmdb/join-ends.ts';
import type { CiRef } from '#domain/event/event.ts';
import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import { counted, enumeration, Findings, type NamedCi } from '#features/ai/rules/findings.ts';
import { type AgentContext, type Answers, type Said, sayNone } from './say.ts';

const NAMED = 3;
const MOST = 50;
const PROPOSALS = 5;
const PROPOSED = '/api/cmdb/ai-relationships';
const TASK = 'Tell an operator what depends on what here, the most important first.';

const near = async ({ tenant, ports }: AgentContext, { id }: CiRef, direction: 'up' | 'down'): Promise<NamedCi[]> => {
  const options = { hops: 1, direction, types: CAUSE_TYPES, limit: MOST } as const;
  const { nodes } = await ports.graph.neighbourhood(tenant, id, options);
  return nodes.map(({ ci, name, type }) => ({ id: ci, name, type }));
};
const namesOf = (cis: readonly NamedCi[]): string =>
  enumeration(
    cis.map(({ name }) => name),
    NAMED,
  );

/** `what depends on db-1`, and not `what does db-1 depend on`. */
const asksForDependants = (text: string): boolean => /\bdepends? on \S/i.test(text) && !/\b(?:does|do)\b/i.test(text);

async function sayCi(context: AgentContext, findings: Findings, ci: CiRef, isBelowFirst: boolean): Promise<void> {
  const [above, below] = await Promise.all([near(context, ci, 'up'), near(context, ci, 'down')]);
  const self = findings.ci(ci);
  const cite = (cis: readonly NamedCi[]) => [self, ...cis.slice(0, NAMED).map((one) => findings.ci(one))];
  findings.say(
    above.length === 0
      ? `${ci.name} depends on nothing that is known.`
      : `${ci.name} depends directly on ${counted(above.length, 'CI')}: ${namesOf(above)}.`,
    cite(above),
  );
  findings.say(
    below.length === 0
      ? `Nothing that is known depends on ${ci.name}.`
      : `${counted(below.length, 'CI depends', 'CIs depend')} directly on ${ci.name}: ${namesOf(below)}.`,
    cite(below),
  );
  if (isBelowFirst) findings.lead();
}

async function sayProposals({ tenant, ports }: AgentContext, findings: Findings): Promise<number> {
  const page = { sort: 'created_at', order: 'desc', limit: PROPOSALS } as const;
  const { items, total } = await ports.topology.findRelationships(tenant, { includeAi: true, fromAi: 'open' }, page);
  for (const { relationship, source, target } of await joinEnds(ports, tenant, items)) {
    const { id, type, confidence } = relationship;
    const label = `${source.name} ${type} ${target.name}`;
    const ref = findings.add({ kind: 'relationship', id, label, facts: [{ name: 'confidence', value: confidence }] });
    findings.say(
      `Proposed: ${source.name} ${type} ${target.name}, confidence ${confidence.toFixed(2)}; nobody has accepted it yet.`,
      [ref],
      'possible',
    );
  }
  if (total === 0)
    sayNone(findings, 'No proposal of a relationship is open.', { label: 'open proposals', href: PROPOSED });
  return total;
}

/** Dependencies and dependants of the named CIs; without a name, proposals. */
export const relationships: Answers = async (context, { text, mentioned }): Promise<Said> => {
  const findings = new Findings();
  const [first, ...others] = mentioned.cis.slice(0, NAMED);
  if (first !== undefined) await sayCi(context, findings, first, asksForDependants(text));
  for (const ci of others) await sayCi(context, findings, ci, false);
  const open = mentioned.cis.length > 0 ? null : await sayProposals(context, findings);
  const reasoning =
    open === null
      ? 'Read the relationships that are stored; proposals that nobody accepted take no part.'
      : open === 0
        ? 'The question names no known CI, so open proposals were looked for.'
        : `The question names no known CI, so these are the newest of ${counted(open, 'open proposal')}.`;
  const confidence =
    open === null || open === 0 ? 1 : Math.max(0, ...findings.pack.map(({ facts }) => Number(facts[0]?.value ?? 0)));
  return { findings, confidence, reasoning, abstained: false, task: TASK };
};
