import { enumeration, type Findings } from '#features/ai/rules/findings.ts';
import type { ChangePicture, Partner } from './change-picture.ts';
import type { Advised } from './factor.ts';

/** Multipliers of the chance that a change fails: nothing is left to fall back to. */
const MULTIPLIERS = { partnerDown: 1.5, doubtful: 1.3, noSpare: 1.5 } as const;
const NAMED = 4;
const CITED = 4;
const SHORT = 80;

const WHY = { maintenance: 'in maintenance', change: 'changed at the same time' } as const;

const told = ({ name, why, event }: Partner): string => {
  if (why !== 'event') return `${name} (${WHY[why]})`;
  return event === undefined ? name : `${name} (“${event.title.slice(0, SHORT)}”)`;
};

const refsOf = (partners: readonly Partner[], findings: Findings): string[] =>
  partners
    .slice(0, CITED)
    .map((partner) => (partner.event === undefined ? findings.ci(partner) : findings.event(partner.event)))
    .filter((ref) => ref !== null);

const names = (partners: readonly Partner[]): string =>
  enumeration(
    partners.map(({ name }) => name),
    NAMED,
  );
const list = (partners: readonly Partner[]): string => enumeration(partners.map(told), NAMED);
const are = ({ length }: readonly Partner[]): string => (length === 1 ? 'is' : 'are');

/** Redundant members that are down already: the CI is one of the last that are left. */
export function describePartners({ ci, state }: ChangePicture, findings: Findings): Advised[] {
  const { partnersDown: down, isStopped } = state;
  if (down.length === 0) return [];
  const refs = refsOf(down, findings);
  if (isStopped) {
    findings.say(`Also down: ${list(down)}. ${ci.name} itself is out of service, so a change adds little risk.`, refs);
    return [];
  }
  findings.say(`No redundancy left: ${list(down)} ${are(down)} down, and ${ci.name} carries the load.`, refs);
  const advice = `Restore ${names(down)} before you change ${ci.name}.`;
  return [{ name: 'partner_down', value: names(down), effect: MULTIPLIERS.partnerDown, refs, advice }];
}

/** Redundant members that run, but may not be able to take over. */
export function describeDoubtful({ ci, state }: ChangePicture, findings: Findings): Advised[] {
  const { doubtful } = state;
  if (doubtful.length === 0) return [];
  const refs = refsOf(doubtful, findings);
  findings.say(`Failover from ${ci.name} may fail: ${list(doubtful)}.`, refs);
  const advice = `Restore and test the failover to ${names(doubtful)} first.`;
  return [{ name: 'partner_doubtful', value: names(doubtful), effect: MULTIPLIERS.doubtful, refs, advice }];
}

export function describeNoSpare({ ci, state }: ChangePicture, findings: Findings): Advised[] {
  const { lastOnes } = state;
  if (lastOnes.length === 0) return [];
  const refs = refsOf(lastOnes, findings);
  findings.say(`${ci.name} has no spare: ${list(lastOnes)} ${are(lastOnes)} down.`, refs);
  const advice = `Wait until ${names(lastOnes)} ${lastOnes.length === 1 ? 'recovers' : 'recover'}.`;
  return [{ name: 'no_spare', value: names(lastOnes), effect: MULTIPLIERS.noSpare, refs, advice }];
}
