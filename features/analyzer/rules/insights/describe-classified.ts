import { Findings } from '#features/ai/rules/findings.ts';
import { roleWords } from '#features/analyzer/rules/catalogue/roles.ts';
import type { Classified } from '#features/analyzer/rules/servers/server.ts';
import { descriptionItem, type NamedServer, serverItem } from './server-item.ts';

/** Maximum number of servers described: a pack has no room for more. */
const MAX_TOLD = 38;

const article = (word: string): string => (/^[aeiou]/.test(word) ? 'an' : 'a');

/** `db-1 is a database (data tier): runs postgres on port 5432 (PostgreSQL); its name contains “db”.` */
export function reasoningOf({ hostname, role, tier, reasons }: Classified): string {
  const why = reasons.join('; ');
  if (role === 'unclassified')
    return why === '' ? `No evidence for the role of ${hostname}.` : `Role of ${hostname} is unclear: ${why}.`;
  const words = roleWords(role);
  return `${hostname} is ${article(words)} ${words} (${tier} tier): ${why}.`;
}

export interface SaidClassified {
  readonly findings: Findings;
  /** Aliases by the id of the server. */
  readonly refs: ReadonlyMap<string, string>;
}

/** Findings about each server, those with an open role first. */
export function describeClassified(
  servers: readonly Classified[],
  namedOf: (id: string) => NamedServer,
  description: string | null,
): SaidClassified {
  const findings = new Findings();
  const refs = new Map<string, string>();
  descriptionItem(findings, description);
  const open = servers.filter(({ role }) => role === 'unclassified');
  const told = [...open, ...servers.filter(({ role }) => role !== 'unclassified')].slice(0, MAX_TOLD);
  for (const server of told) {
    const { id, role, tier, confidence, reasons } = server;
    const ref = serverItem(findings, namedOf(id), [
      { name: 'role', value: roleWords(role) },
      { name: 'tier', value: tier },
      { name: 'confidence', value: confidence },
      ...reasons.map((value) => ({ name: 'sign', value, isFreeText: true as const })),
    ]);
    if (ref !== null) refs.set(id, ref);
    findings.say(reasoningOf(server), [ref], 'likely');
  }
  return { findings, refs };
}
