import type { UseCaseContext } from '#application/access/context.ts';
import type { Permission } from '#domain/access/permissions.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { CiRef } from '#domain/event/event.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';
import { firstItem } from '#domain/known.ts';

/** Words of a question that are looked up. */
const MAX_TERMS = 20;
const QUOTED = /"([^"]{1,255})"|'([^']{1,255})'/g;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}._:-]{0,254}/gu;
/** Plain words are no names: something in it is no letter. */
const LOOKS_LIKE_NAME = /[\d._:-]/;
const GROUP_ID = /^COR-\d+-\w+$/;

/** Things that a question names, in the order in which it does. */
export interface Mentioned {
  readonly events: readonly Event[];
  readonly groups: readonly Group[];
  readonly cis: readonly CiRef[];
  /** Words that look like the name of a machine, with the CI that each is; null: several or none. */
  readonly names: readonly { readonly text: string; readonly ci: CiRef | null; readonly isAmbiguous: boolean }[];
}

function termsOf(text: string): string[] {
  const quoted = [...text.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? '');
  const words = text.replaceAll(QUOTED, ' ').match(WORD) ?? [];
  const names = words
    .map((word) => word.replace(/(?<![._:-])[._:-]+$/, ''))
    .filter((word) => LOOKS_LIKE_NAME.test(word));
  return [...new Set([...quoted, ...names])].slice(0, MAX_TERMS);
}

/** `of payments`, `does billing`: something is called so. */
const BEFORE: ReadonlySet<string> = new Set(['of', 'on', 'for', 'about', 'does', 'did', 'is', 'at', 'has', 'to']);
const ARTICLES: ReadonlySet<string> = new Set(['the', 'my', 'our']);
const MOST_WORDS = 3;
const MAX_GUESSED = 40;

/** Words that are names only if something is called so: those behind a preposition, and two or three in a row. */
function guessedIn(text: string): string[] {
  const words = (text.replaceAll(QUOTED, ' ').match(WORD) ?? []).map((word) => word.replace(/(?<![._:-])[._:-]+$/, ''));
  const lower = words.map((word) => word.toLowerCase());
  const isBehind = (i: number): boolean =>
    BEFORE.has(lower[i - 1] ?? '') || (ARTICLES.has(lower[i - 1] ?? '') && BEFORE.has(lower[i - 2] ?? ''));
  const rows = words.flatMap((_, i) =>
    Array.from({ length: MOST_WORDS }, (_, n) => words.slice(i, i + n + 1)).filter(
      (row, n) => row.length === n + 1 && (n > 0 || (isBehind(i) && !LOOKS_LIKE_NAME.test(firstItem(row)))),
    ),
  );
  return [...new Set(rows.map((row) => row.join(' ')))].slice(0, MAX_GUESSED);
}

type Asking = Pick<UseCaseContext, 'tenant' | 'ports' | 'caller'>;

const groupsOf = async ({ tenant, ports }: Asking, ids: readonly string[]): Promise<Group[]> => {
  const found = await Promise.all(ids.map((id) => ports.correlation.group(tenant, id)));
  return found.filter((group) => group !== null);
};

/** Looks up what a question may name, as far as the caller may read it. */
export async function mentionedIn(asking: Asking, text: string): Promise<Mentioned> {
  const { tenant, ports, caller } = asking;
  const mayRead = (permission: Permission): boolean => caller.permissions.has(permission);
  const terms = termsOf(text);
  const eventIds = terms.flatMap((term) => parseEventId(term) ?? []);
  const groupIds = terms.filter((term) => GROUP_ID.test(term));
  const others = terms.filter((term) => !GROUP_ID.test(term) && parseEventId(term) === null);
  const guessed = guessedIn(text);
  const looked = [...others, ...guessed];
  const [events, groups, bindings] = await Promise.all([
    mayRead('events.read') ? ports.events.getMany(tenant, eventIds) : [],
    mayRead('events.read') ? groupsOf(asking, groupIds) : [],
    looked.length === 0 || !mayRead('cmdb.read')
      ? []
      : ports.matcher.bind(
          tenant,
          looked.map((term) => ({ ciId: term, hostname: term, ipAddress: term, hints: [term] })),
        ),
  ]);
  const all = looked.map((term, i) => ({
    text: term,
    ci: bindings[i]?.ci ?? null,
    isAmbiguous: bindings[i]?.ambiguous === true,
  }));
  const names = all.filter(({ ci }, i) => i < others.length || ci !== null);
  const cis = names.flatMap(({ ci }) => ci ?? []);
  return { events, groups, cis: [...new Map(cis.map((ci) => [ci.id, ci])).values()], names };
}
