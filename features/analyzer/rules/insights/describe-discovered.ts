import { itemAt } from '#domain/assert.ts';
import { counted, Findings } from '#features/ai/rules/findings.ts';

/** Servers that get a sentence of their own, and servers that are cited in all. */
const TOLD = 7;
const CITED = 40;

interface Discovered {
  readonly id: string;
  readonly hostname: string;
  readonly ci: { readonly name: string; readonly type: string };
  readonly score: number;
  readonly matched: readonly string[];
}

/** Lists the found servers and their matches. */
export function describeDiscovered(servers: readonly Discovered[], connections: number): Findings {
  const findings = new Findings();
  const refs = servers
    .slice(0, CITED)
    .map(({ id, hostname, ci, score, matched }) =>
      findings.ci({ id, ...ci }, [
        { name: 'hostname', value: hostname, isFreeText: true },
        { name: 'score', value: score },
        ...matched.map((value) => ({ name: 'matched', value, isFreeText: true as const })),
      ]),
    );
  if (servers.length === 0) return findings;
  const amount = `${counted(servers.length, 'server')} and ${counted(connections, 'connection')}`;
  findings.say(`Found ${amount}.`, refs.slice(0, 5));
  for (const [place, { hostname, score, matched }] of servers.slice(0, TOLD).entries())
    findings.say(`${hostname}, score ${score}: ${matched.slice(0, 3).join('; ')}.`, [itemAt(refs, place)], 'likely');
  return findings;
}
