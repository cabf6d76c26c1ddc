import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { counted, enumeration, type Findings } from '#features/ai/rules/findings.ts';
import type { ChangePicture, ServiceAtRisk } from './change-picture.ts';
import type { Advised } from './factor.ts';
import { blastOf, CI_WEIGHTS, type HitCriticality, serviceWeight } from './risk.ts';

const NAMED = 3;
const CITED = 4;
const SHOWN_SERVICES = 10;

const refsOf = (...refs: readonly (string | null)[]): string[] => refs.filter((ref) => ref !== null);

export const hitOf = ({ service, impact }: ServiceAtRisk): HitCriticality => ({
  criticality: service.criticality,
  survives: impact === 'degraded_functionality',
});

export function sayCriticality({ ci, criticality }: ChangePicture, findings: Findings): Advised[] {
  const refs = refsOf(findings.ci(ci, [{ name: 'criticality', value: criticality }]));
  findings.say(`${ci.name} is a CI of ${criticality} criticality.`, refs);
  return [{ name: 'criticality', value: criticality, effect: CI_WEIGHTS[criticality], refs }];
}

/** The impact of the CI, and the CIs that redundancy saves. */
export function sayBlast({ ci, impact, all }: ChangePicture, findings: Findings): Advised[] {
  const { impacted, protected: saved } = impact;
  const named = impacted.slice(0, CITED).map(({ ci: id, name, type }) => findings.ci({ id, name, type }));
  const refs = refsOf(findings.ci(ci), ...named);
  const names = impacted.map(({ name }) => name);
  const below = impacted.length === 0 ? 'Nothing' : `${counted(impacted.length, 'CI')} (${enumeration(names, NAMED)})`;
  const depend = impacted.length > 1 ? 'depend' : 'depends';
  findings.say(`${below} ${depend} on it, of ${counted(all, 'CI')} in all.`, refs);
  const factor = { name: 'blast_radius', value: impacted.length, effect: blastOf(impacted.length, all), refs } as const;
  if (saved.length === 0) return [factor];
  const others = enumeration(
    saved.map(({ name }) => name),
    NAMED,
  );
  const advice = `Change redundant members one after the other, and check that the rest carries ${others} first.`;
  return [{ ...factor, advice }];
}

/** The most critical services first. */
export function sayServices({ services }: ChangePicture, findings: Findings): Advised[] {
  const rank = ({ service }: ServiceAtRisk): number => CRITICALITIES.indexOf(service.criticality);
  const sorted = services.toSorted((a, b) => rank(a) - rank(b));
  const factors = sorted.slice(0, SHOWN_SERVICES).map((hit): Advised => {
    const refs = refsOf(findings.service(hit.service));
    return { name: 'service', value: hit.service.name, effect: serviceWeight(hitOf(hit)), refs };
  });
  const down = sorted.filter(({ impact }) => impact === 'full_outage').map(({ service }) => service.name);
  const others = sorted.filter(({ impact }) => impact !== 'full_outage').map(({ service }) => service.name);
  const refs = factors.flatMap((factor) => factor.refs);
  if (down.length > 0) findings.say(`Its failure takes down ${enumeration(down, NAMED)}.`, refs);
  if (others.length > 0) findings.say(`Its failure degrades ${enumeration(others, NAMED)}.`, refs);
  return factors;
}
