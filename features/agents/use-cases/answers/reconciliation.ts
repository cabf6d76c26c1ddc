import { everyRecord } from '#application/records/list-records.ts';
import { counted, enumeration, Findings } from '#features/ai/rules/findings.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import type { Review } from '#features/discovery/use-cases/review-records.ts';
import { type AgentContext, type Answers, type Said, sayNone } from './say.ts';

const SHOWN = 5;
const NAMED = 3;
const REVIEWS = '/v1/discovery/reviews';
const TASK = 'Tell an operator which configuration item each of these names is, and what people have to decide.';

const machineOf = ({ host }: Review): string =>
  host.fqdn ?? host.hostname ?? host.ipAddress ?? 'a machine without a name';

async function sayReviews({ tenant, ports }: AgentContext, findings: Findings): Promise<number> {
  const reviews = await everyRecord<Review>(ports.records, tenant, DISCOVERY_KINDS.review);
  const open = reviews.filter(({ status }) => status === 'open').sort((a, b) => b.updatedAt - a.updatedAt);
  const shown = open.slice(0, SHOWN);
  const cis = await ports.topology.getCis(tenant, [...new Set(shown.flatMap(({ candidates }) => candidates))]);
  const names = new Map(cis.map(({ id, name }) => [id, name]));
  for (const review of shown) {
    const machine = machineOf(review);
    const facts = [{ name: 'candidates', value: review.candidates.length }];
    const ref = findings.add({ kind: 'record', id: review.id, label: machine, facts, href: `${REVIEWS}/${review.id}` });
    const between = enumeration(
      review.candidates.map((id) => names.get(id) ?? id),
      NAMED,
    );
    findings.say(`It is not sure which CI ${machine} is: ${between}.`, [ref], 'possible');
  }
  if (open.length === 0)
    sayNone(findings, 'No machine waits for somebody to say which CI it is.', { label: 'open reviews', href: REVIEWS });
  return open.length;
}

/** Which CI a name or address is; without one which machines nobody can tell apart. */
export const reconciliation: Answers = async (context, { mentioned }): Promise<Said> => {
  const findings = new Findings();
  const query = { kind: 'query', id: 'cis', label: 'search of CIs', href: '/v1/cmdb/ci', facts: [] } as const;
  for (const { text, ci, isAmbiguous } of mentioned.names.slice(0, SHOWN)) {
    if (ci !== null) {
      const what = text.toLowerCase() === ci.name.toLowerCase() ? 'a CI' : `${ci.name}, a CI`;
      findings.say(`${text} is ${what} of type ${ci.type}.`, [findings.ci(ci)]);
    } else {
      const why = isAmbiguous ? 'several CIs are known by it' : 'no CI is known by it';
      const facts = [{ name: 'name', value: text, isFreeText: true as const }];
      findings.say(`${text} is no single CI: ${why}.`, [findings.add({ ...query, id: text, facts })]);
    }
  }
  const isNamed = mentioned.names.length > 0;
  const open = isNamed ? 0 : await sayReviews(context, findings);
  const sure = mentioned.names.filter(({ ci }) => ci !== null).length;
  const reasoning = isNamed
    ? 'Looked for ids, external keys, names and addresses of CIs, as events are bound.'
    : open === 0
      ? 'The question names no machine, so open reviews were looked for.'
      : `The question names no machine, so these are the newest of ${counted(open, 'open review')}.`;
  const confidence = isNamed ? sure / mentioned.names.length : 1;
  return { findings, confidence, reasoning, abstained: false, task: TASK };
};
