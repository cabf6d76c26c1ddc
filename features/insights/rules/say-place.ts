import { counted, enumeration, type Findings } from '#features/ai/rules/findings.ts';
import type { CiPicture, HitService } from './ci-picture.ts';

const NAMED = 3;
const CITED = 4;
/** From so many CIs on one that nothing stands in for is called a single point of failure. */
const MANY_BELOW = 3;

const names = (all: readonly { readonly name: string }[]): string[] => all.map(({ name }) => name);

/** The identity of the CI. */
export function sayIdentity({ ci, relationships }: CiPicture, findings: Findings): void {
  const self = findings.ci(ci, [
    { name: 'status', value: ci.status },
    { name: 'relationships', value: relationships },
    ...(ci.description === undefined
      ? []
      : [{ name: 'description', value: ci.description, isFreeText: true } as const]),
  ]);
  findings.say(`${ci.name} is a CI of type ${ci.type}, ${ci.status}.`, [self]);
}

/** Its dependencies. */
export function sayNeeds({ ci, needs }: CiPicture, findings: Findings): void {
  if (needs.length === 0) return;
  const refs = needs.slice(0, CITED).map((one) => findings.ci(one));
  const self = findings.ci(ci);
  const text = `It depends directly on ${counted(needs.length, 'CI')}: ${enumeration(names(needs), NAMED)}.`;
  findings.say(text, [self, ...refs]);
}

const nearest = ({ impact: { impacted } }: CiPicture) => impacted.map(({ ci, name, type }) => ({ id: ci, name, type }));

/** Its dependants, and the CIs that redundancy saves. */
export function sayDependants(picture: CiPicture, findings: Findings): void {
  const { ci, impact } = picture;
  const below = nearest(picture);
  const self = findings.ci(ci);
  const more = impact.truncated ? ' at least' : '';
  if (below.length === 0) findings.say('No other CI fails with it, as far as relationships say.', [self]);
  else {
    const refs = below.slice(0, CITED).map((one) => findings.ci(one));
    const listed = enumeration(names(below), NAMED);
    findings.say(
      `When it fails,${more} ${counted(below.length, 'other CI fails', 'other CIs fail')} with it: ${listed}.`,
      [self, ...refs],
    );
  }
  if (impact.protected.length === 0) return;
  const saved = impact.protected.map(({ ci: id, name, type }) => ({ id, name, type }));
  const refs = saved.slice(0, CITED).map((one) => findings.ci(one));
  const text = `Redundancy saves ${counted(saved.length, 'CI')} from its failure: ${enumeration(names(saved), NAMED)}.`;
  findings.say(text, [self, ...refs]);
}

const OUTCOMES = { full_outage: 'goes down', degraded_functionality: 'is degraded' } as const;
const told = ({ service, impact }: HitService): string =>
  `${service.name} (${service.criticality}) ${OUTCOMES[impact]}`;

/** Its impact on business services. */
export function sayServices({ ci, services }: CiPicture, findings: Findings): void {
  if (services.length === 0) return;
  const refs = services.slice(0, CITED).map(({ service }) => findings.service(service));
  const hit = enumeration(services.map(told), NAMED);
  findings.say(`With it, of the business services, ${hit}.`, [findings.ci(ci), ...refs]);
}

/** Nothing stands in for it, and much hangs on it. */
export function saySinglePoint(picture: CiPicture, findings: Findings): void {
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
  const text = `It is a single point of failure for ${hit.join(' and ')}: nothing stands in for it.`;
  findings.say(text, [findings.ci(ci), ...refs], 'likely');
}
