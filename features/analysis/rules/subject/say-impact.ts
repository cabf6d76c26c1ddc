import { counted, enumeration, type Findings } from '#features/ai/rules/findings.ts';
import type { SubjectPicture } from './picture.ts';

const NAMED = 3;
const CITED = 4;

const OUTCOMES = { full_outage: 'goes down', degraded_functionality: 'is degraded' } as const;

const names = (all: readonly { readonly name: string }[]): string =>
  enumeration(
    all.map(({ name }) => name),
    NAMED,
  );

/** Its impact, the CIs that redundancy saves, and the business services that suffer. */
export function sayImpact({ failing, impact, services }: SubjectPicture, self: string, findings: Findings): void {
  if (impact === null) {
    findings.say('It is bound to no CI, so what fails with it is not known.', [self]);
    return;
  }
  const { impacted, protected: saved, truncated } = impact;
  const cite = (id: string, name: string, type: string) => findings.ci({ id, name, type });
  const own = failing.slice(0, 1).map(({ id, name, type }) => cite(id, name, type));
  const of = names(failing);
  const below = impacted.slice(0, CITED - 1).map(({ ci, name, type }) => cite(ci, name, type));
  if (impacted.length === 0) findings.say(`No other CI fails with ${of}, as far as relationships say.`, [self, ...own]);
  else
    findings.say(
      `When ${of} ${failing.length === 1 ? 'fails' : 'fail'},${truncated ? ' at least' : ''} ${counted(impacted.length, 'other CI fails', 'other CIs fail')} too: ${names(impacted)}.`,
      [self, ...own, ...below],
    );
  if (services.length > 0) {
    const told = services.map(({ service, impact: outcome }) => ({
      name: `${service.name} (${service.criticality}) ${OUTCOMES[outcome]}`,
    }));
    const refs = services.slice(0, CITED).map(({ service }) => findings.service(service));
    findings.say(`Of the business services, ${names(told)}.`, [self, ...refs]);
  }
  if (saved.length > 0) {
    const refs = saved.slice(0, CITED).map(({ ci, name, type }) => cite(ci, name, type));
    findings.say(`Redundancy saves ${counted(saved.length, 'CI')} from it: ${names(saved)}.`, [self, ...refs]);
  }
}
