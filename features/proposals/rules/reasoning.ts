import type { Fact } from '#domain/ai/evidence.ts';
import { Findings, type NamedCi } from '#features/ai/rules/findings.ts';
import { FAN_OUT, type Inferred, type ProposalSign } from './infer.ts';

const SIGN_TEXTS: Readonly<Record<ProposalSign, string>> = {
  listens: 'the target listens on this port',
  agrees: 'its type or process matches',
  days: 'seen on several days',
  'fan-out': `source connects to more than ${FAN_OUT} targets on this port (typical of monitoring or backup)`,
  replication: 'both offer the same service, as a primary and its replica do',
  cluster: 'both connect to each other on this port, as members of a cluster do',
};

/** A relationship with the sentence that gives its reason, and the alias of its evidence; null beyond the size of a pack. */
export interface Reasoned {
  readonly inferred: Inferred;
  readonly reasoning: string;
  readonly ref: string | null;
}

/** `web-1 connected 42 times to db-1 on port 5432/tcp (PostgreSQL): the target listens on this port.` */
function reasonFor({ port, protocol, service, frequency, signs }: Inferred, source: string, target: string): string {
  const there = `port ${port}/${protocol}${service === null ? '' : ` (${service})`}`;
  const why = signs.map((sign) => SIGN_TEXTS[sign]).join('; ');
  const times = frequency === 1 ? 'once' : `${frequency} times`;
  return `${source} connected to ${target} on ${there} ${times}${why === '' ? '' : `: ${why}`}.`;
}

const factsOf = ({ port, protocol, service, frequency, confidence, signs }: Inferred): Fact[] => [
  { name: 'port', value: port },
  { name: 'protocol', value: protocol },
  { name: 'connections', value: frequency },
  ...(service === null ? [] : [{ name: 'service', value: service }]),
  ...(signs.includes('fan-out') ? [{ name: 'targets more than', value: FAN_OUT }] : []),
  { name: 'confidence', value: confidence },
];

/** The reason of each, and the claims and evidence of all. */
export function reasoned(
  all: readonly Inferred[],
  ciOf: (id: string) => NamedCi,
): { readonly reasons: readonly Reasoned[]; readonly findings: Findings } {
  const findings = new Findings();
  const reasons = all.map((inferred): Reasoned => {
    const [source, target] = [ciOf(inferred.source), ciOf(inferred.target)];
    const reasoning = reasonFor(inferred, source.name, target.name);
    const id = `connections-of-${source.id}-to-${target.id}`;
    const label = `Connections from ${source.name} to ${target.name}`;
    const href = `/api/ci/${source.id}/process-connections`;
    const ref = findings.add({ kind: 'query', id, label, href, facts: factsOf(inferred) });
    findings.say(reasoning, ref === null ? [] : [ref, findings.ci(source), findings.ci(target)], 'likely');
    return { inferred, reasoning, ref };
  });
  return { reasons, findings };
}
