import { zip } from '#domain/zip.ts';
import { readQuestion, type Understood } from '#features/questions/rules/grammar/question.ts';
import { knownNames } from '#features/questions/rules/grammar/tenant-names.ts';
import type { QueryAsking } from './asking.ts';
import { tenantNames } from './tenant-names.ts';

/** A question with the names of the tenant; words that nothing else explains are looked up as names of CIs. */
export async function readTenantQuestion(asking: QueryAsking, question: string): Promise<Understood> {
  const { tenant, ports, receivedAt: now, zone } = asking;
  const names = knownNames(await tenantNames(asking));
  const first = readQuestion(question, { now, zone, names });
  const words = first.unknown.filter((word) => !names.has(word.toLowerCase()));
  if (words.length === 0) return first;
  const bindings = await ports.matcher.bind(
    tenant,
    words.map((name) => ({ ciId: name, hostname: name, ipAddress: name })),
  );
  const cis = zip(words, bindings).flatMap(([word, { ci, ambiguous }]) => (ci !== null || ambiguous ? [word] : []));
  if (cis.length === 0) return first;
  const all = new Map([...names, ...cis.map((name) => [name.toLowerCase(), 'ci'] as const)]);
  return readQuestion(question, { now, zone, names: all });
}
