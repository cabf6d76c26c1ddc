import type { UseCaseContext } from '#application/access/context.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { CiRef } from '#domain/event/event.ts';
import { type Event, parseEventId } from '#domain/event/event.ts';

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
  const names = words.map((word) => word.replace(/[._:-]+$/, '')).filter((word) => LOOKS_LIKE_NAME.test(word));
  return [...new Set([...quoted, ...names])].slice(0, MAX_TERMS);
}

type Asking = Pick<UseCaseContext, 'tenant' | 'ports'>;

const groupsOf = async ({ tenant, ports }: Asking, ids: readonly string[]): Promise<Group[]> => {
  const found = await Promise.all(ids.map((id) => ports.correlation.group(tenant, id)));
  return found.filter((group) => group !== null);
};

/** Looks up what a question may name. */
export async function mentionedIn(asking: Asking, text: string): Promise<Mentioned> {
  const { tenant, ports } = asking;
  const terms = termsOf(text);
  const eventIds = terms.flatMap((term) => parseEventId(term) ?? []);
  const groupIds = terms.filter((term) => GROUP_ID.test(term));
  const others = terms.filter((term) => !GROUP_ID.test(term) && parseEventId(term) === null);
  const [events, groups, bindings] = await Promise.all([
    ports.events.getMany(tenant, eventIds),
    groupsOf(asking, groupIds),
    others.length === 0
      ? []
      : ports.matcher.bind(
          tenant,
          others.map((term) => ({ ciId: term, hostname: term, ipAddress: term, hints: [term] })),
        ),
  ]);
  const names = others.map((term, i) => ({
    text: term,
    ci: bindings[i]?.ci ?? null,
    isAmbiguous: bindings[i]?.ambiguous === true,
  }));
  const cis = names.flatMap(({ ci }) => ci ?? []);
  return { events, groups, cis: [...new Map(cis.map((ci) => [ci.id, ci])).values()], names };
}
