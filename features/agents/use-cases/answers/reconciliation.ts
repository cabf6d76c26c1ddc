import { everyRecord } from '#application/records/list-records.ts';
import { counted, enumeration, Findings } from '#features/ai/rules/findings.ts';
import { DISCOVERY_KINDS } from '#features/discovery/use-cases/records.ts';
import type { Review } from '#features/discovery/use-cases/review-records.ts';
import { events } from '#features/questions/use-cases/tools/kinds/events.ts';
import { type AgentContext, type AgentQuestion, describeNone, type RulesAnswer } from './describe.ts';

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
    const facts = [{ name: 'candidates', value: review.candidates.length }];
    const ref = findings.add({ kind: 'record', id: review.id, label: machine, facts, href: `${REVIEWS}/${review.id}` });
    const between = enumeration(
      review.candidates.map((id) => names.get(id) ?? id),
      NAMED,
    );
    findings.say(`${machine} matches several CIs: ${between}.`, [ref], 'possible');
  }
  if (open.length === 0) describeNone(findings, 'No pending reviews.', { label: 'open reviews', href: REVIEWS });
  return open.length;
}

/** Matches names and addresses to CIs; lists pending reviews if the question contains none. */
export async function reconciliation(context: AgentContext, { desk, reading }: AgentQuestion): Promise<RulesAnswer> {
  const findings = new Findings();
  const query = { kind: 'query', label: 'CI search', href: '/v1/cmdb/ci' } as const;
  const things = reading.things.filter(({ kind }) => kind !== 'type' || reading.missing.length === 0).slice(0, SHOWN);
  const nameRef = (name: string) =>
    findings.add({ ...query, id: name, facts: [{ name: 'name', value: name, isFreeText: true }] });
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
      const names = enumeration(
        cis.map((one) => one.name),
        NAMED,
      );
      findings.say(`${said} matches ${counted(cis.length, 'CI')}: ${names}.`, [nameRef(name)]);
    }
  }
  for (const name of reading.missing.slice(0, SHOWN)) findings.say(`${name}: no CI found.`, [nameRef(name)]);
  const all = things.length + reading.missing.length;
  const open = all > 0 ? 0 : await describeReviews(context, findings);
  const reasoning =
    all > 0
      ? 'Matched IDs, external keys, names and addresses of CIs, like event binding.'
      : open === 0
        ? 'The question names no host, so pending reviews are shown.'
        : `The question names no host, so these are the newest of ${counted(open, 'pending review')}.`;
  const sure = things.filter(({ kind, cis }) => kind !== 'host' && cis.length === 1).length;
  return { findings, confidence: all === 0 ? 1 : sure / all, reasoning, abstained: false };
}
