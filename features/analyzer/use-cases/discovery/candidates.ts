import type { UseCaseContext } from '#application/access/context.ts';
import type { Glob } from '#features/analyzer/rules/servers/glob.ts';
import type { Sought } from '#features/analyzer/rules/servers/sought.ts';
import { portKeyword, processKeyword, softwareKeyword } from '#features/search/rules/keywords.ts';
import { indexDue } from '#features/search/use-cases/index-due.ts';

/** By each way of looking, and in all. */
const MOST_FOUND = 1_000;
const MOST = 2_000;
const PAGE = 500;
/** Of one search. */
const MOST_WORDS = 200;
const MOST_KEYWORDS = 500;
/** How long what has just changed may be made fit to be searched first, ms. */
const PATIENCE_MS = 2_000;

const CIS = ['ci'] as const;
type Asking = Pick<UseCaseContext, 'tenant' | 'ports'>;

interface Candidates {
  readonly ids: readonly string[];
  /** There may be more. */
  readonly truncated: boolean;
}

const softwareNames = ({ software }: Sought): string[] => [
  ...new Set(software.flatMap(({ name, known }) => [name, ...(known?.names ?? []), ...(known?.processes ?? [])])),
];

async function byKeywords({ ports, tenant }: Asking, sought: Sought): Promise<string[]> {
  const processes = [...sought.processes, ...sought.software.flatMap(({ known }) => known?.processes ?? [])];
  const keywords = [
    ...processes.map(processKeyword),
    ...softwareNames(sought).map(softwareKeyword),
    ...[...sought.ports].map(portKeyword),
  ];
  if (keywords.length === 0) return [];
  const asked = { keywords: [...new Set(keywords)].slice(0, MOST_KEYWORDS), kinds: CIS, limit: MOST_FOUND };
  return (await ports.searchIndex.tagged(tenant, asked)).map(({ document }) => document.id);
}

/** `PostgreSQL 14.2` and `postgres: writer` have the name among other words. */
async function byWords({ ports, tenant }: Asking, sought: Sought): Promise<string[]> {
  const words = [...new Set([...sought.processes, ...softwareNames(sought)])].slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const hits = await ports.searchIndex.search(tenant, { words, kinds: CIS, limit: MOST_FOUND });
  return hits.map(({ document }) => document.id);
}

async function byHost({ ports, tenant }: Asking, { literal }: Glob): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null | undefined;
  while (ids.length < MOST_FOUND && cursor !== null) {
    const page = await ports.topology.findCis(
      tenant,
      { search: literal },
      { sort: 'name', order: 'asc', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    );
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return ids;
}

/** In turns, so that no way of looking takes all the room. */
function inTurns(lists: readonly (readonly string[])[]): string[] {
  const ids = new Set<string>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let place = 0; place < longest; place++)
    for (const list of lists) {
      const id = list[place];
      if (id !== undefined) ids.add(id);
    }
  return [...ids];
}

/** CIs that may be looked for; whether they are is for the rules to say. */
export async function candidatesFor(asking: Asking, sought: Sought): Promise<Candidates> {
  const { ports } = asking;
  const until = ports.clock.now() + PATIENCE_MS;
  await indexDue(ports, () => ports.clock.now() > until);
  const found = [await byKeywords(asking, sought), await byWords(asking, sought)];
  for (const host of sought.hosts) found.push(await byHost(asking, host));
  const ids = inTurns(found);
  return { ids: ids.slice(0, MOST), truncated: ids.length > MOST || found.some((one) => one.length >= MOST_FOUND) };
}
