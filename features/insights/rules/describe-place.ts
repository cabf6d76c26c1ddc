import { counted, enumeration, type Findings } from '#features/ai/rules/findings.ts';
import type { CiPicture, HitService } from './ci-picture.ts';

const NAMED = 3;
const CITED = 4;
/** Minimum number of dependents of a single point of failure. */
const MANY_BELOW = 3;

const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);

/** The identity of the CI. */
export function describeIdentity({ ci, relationships }: CiPicture, findings: Findings): void {
  const self = findings.ci(ci, [
    { name: 'status', value: ci.status },
    { name: 'relationships', value: relationships },
    ...(ci.description === undefined
      ? []
      : [{ name: 'description', value: ci.description, isFreeText: true } as const]),
  ]);
  findings.say(`${ci.name}: ${ci.type}, ${ci.status}.`, [self]);
}

/** Its dependencies. */
export function describeNeeds({ ci, needs }: CiPicture, findings: Findings): void {
  if (needs.length === 0) return;
  const refs = needs.slice(0, CITED).map((one) => findings.ci(one));
  const self = findings.ci(ci);
  const text = `It depends directly on ${counted(needs.length, 'CI')}: ${enumeration(names(needs), NAMED)}.`;
  findings.say(text, [self, ...refs]);
}

const nearest = ({ impact: { impacted } }: CiPicture) => impacted.map(({ ci, name, type }) => ({ id: ci, name, type }));

/** CIs that are down and would else have saved some of its dependants. */
function describeLost({ ci, impact: { partnersDown = [] } }: CiPicture, findings: Findings): void {
  if (partnersDown.length === 0) return;
  const refs = partnersDown.slice(0, CITED).map(({ ci: id, name, type }) => findings.ci({ id, name, type }));
  const text = `No redundancy left: ${enumeration(names(partnersDown), NAMED)} ${partnersDown.length === 1 ? 'is' : 'are'} down now.`;
  findings.say(text, [...refs, findings.ci(ci)]);
}

/** Its dependants, and the CIs that redundancy saves. */
export function describeDependants(picture: CiPicture, findings: Findings): void {
  const { ci, impact } = picture;
  const below = nearest(picture);
  const self = findings.ci(ci);
  const more = impact.truncated ? ' at least' : '';
  if (below.length === 0) findings.say('No known impact on other CIs.', [self]);
  else {
    const refs = below.slice(0, CITED).map((one) => findings.ci(one));
    const listed = enumeration(names(below), NAMED);
    findings.say(`If it fails,${more} ${counted(below.length, 'other CI is', 'other CIs are')} impacted: ${listed}.`, [
      self,
      ...refs,
    ]);
  }
  describeLost(picture, findings);
  if (impact.protected.length === 0) return;
  const saved = impact.protected.map(({ ci: id, name, type }) => ({ id, name, type }));
  const refs = saved.slice(0, CITED).map((one) => findings.ci(one));
  const text = `Protected by redundancy: ${counted(saved.length, 'CI')} (${enumeration(names(saved), NAMED)}).`;
  findings.say(text, [self, ...refs]);
}

const OUTCOMES = { full_outage: 'goes down', degraded_functionality: 'is degraded' } as const;
const told = ({ service, impact }: HitService): string =>
  `${service.name} (${service.criticality}) ${OUTCOMES[impact]}`;

/** Its impact on business services. */
export function describeServices({ ci, services }: CiPicture, findings: Findings): void {
  if (services.length === 0) return;
  const refs = services.slice(0, CITED).map(({ service }) => findings.service(service));
  const hit = enumeration(services.map(told), NAMED);
  findings.say(`Affected business services: ${hit}.`, [findings.ci(ci), ...refs]);
}

/** Describes a CI without redundancy that many CIs depend on. */
export function describeSinglePoint(picture: CiPicture, findings: Findings): void {
  const { ci, services } = picture;
  const below = nearest(picture);
  const down = services.filter(({ impact }) => impact === 'full_outage');
  if (below.length < MANY_BELOW && down.length === 0) return;
  const cited = down.slice(0, CITED).map(({ service }) => findings.service(service));
  const refs = [...cited, ...below.slice(0, CITED - cited.length).map((one) => findings.ci(one))];
  const hit = [
    ...(below.length === 0 ? [] : [counted(below.length, 'CI')]),
    ...(down.length === 0 ? [] : [counted(down.length, 'business service')]),
  ];
  const text = `Single point of failure for ${hit.join(' and ')}; no redundancy.`;
  findings.say(text, [findings.ci(ci), ...refs], 'likely');
}
