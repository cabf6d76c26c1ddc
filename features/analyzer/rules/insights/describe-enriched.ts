import type { Fact } from '#domain/ai/evidence.ts';
import { enumeration, Findings } from '#features/ai/rules/findings.ts';
import { roleWords } from '#features/analyzer/rules/catalogue/roles.ts';
import type { EnrichedServer, EnrichedSoftware, OpenWord } from '#features/analyzer/rules/servers/enrich.ts';
import { descriptionItem } from './server-item.ts';

const MAX_TOLD = 12;
const NAMED = 4;

const factsOf = ({ software, vendor, version, confidence, reason }: EnrichedSoftware): Fact[] => [
  { name: 'reason', value: reason, isFreeText: true },
  { name: 'confidence', value: confidence },
  ...(vendor === null ? [] : [{ name: 'vendor', value: vendor, isFreeText: true } as const]),
  ...(version === null ? [] : [{ name: 'version', value: version, isFreeText: true } as const]),
  ...(software === null
    ? []
    : [
        { name: 'role', value: roleWords(software.role) },
        { name: 'processes', value: software.processes.join(', ') },
        { name: 'ports', value: software.ports.map(({ port, protocol }) => `${port}/${protocol}`).join(', ') },
      ]),
];

/** `PostgreSQL: the description mentions “postgres”. It runs as postgres and postmaster and listens on 5432/tcp.` */
function sentence({ software, name, reason }: EnrichedSoftware): string {
  if (software === null) return `${name}: ${reason}.`;
  const { processes, ports } = software;
  const runs = processes.length === 0 ? [] : [`runs as ${enumeration(processes, NAMED)}`];
  const on = ports.map(({ port, protocol }) => `${port}/${protocol}`);
  const listens = on.length === 0 ? [] : [`listens on ${enumeration(on, NAMED)}`];
  return `${name}: ${reason}. It ${[...runs, ...listens].join(' and ')}.`;
}

const recordId = ({ software, name }: EnrichedSoftware): string => `software:${software?.id ?? name}`;

export interface SaidEnriched {
  readonly findings: Findings;
  /** Open words by their aliases. */
  readonly words: ReadonlyMap<string, OpenWord>;
}

/** Recognised words, and the others. */
export function describeEnriched({ software, open }: EnrichedServer, description: string | null): SaidEnriched {
  const findings = new Findings();
  const described = descriptionItem(findings, description);
  for (const one of software.slice(0, MAX_TOLD)) {
    const ref = findings.add({ kind: 'record', id: recordId(one), label: one.name, facts: factsOf(one), href: '' });
    findings.say(sentence(one), [ref], one.confidence > 0.5 ? 'likely' : 'possible');
  }
  const words = new Map<string, OpenWord>();
  for (const word of open) {
    const facts: Fact[] = [{ name: 'stated as', value: word.from }];
    const ref = findings.add({ kind: 'record', id: `word:${word.text}`, label: word.text, facts, href: '' });
    if (ref !== null) words.set(ref, word);
  }
  if (software.length === 0) findings.say('No matching software in the catalog.', [described, ...words.keys()]);
  return { findings, words };
}
