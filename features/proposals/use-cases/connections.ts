import type { UseCaseContext } from '#application/access/context.ts';
import { firstItem, itemAt } from '#domain/known.ts';
import { slices } from '#domain/slices.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import type { PortConnection } from '#features/proposals/rules/infer.ts';

/** A connection as somebody saw it: ends are ids, external keys, names or addresses. */
export interface NamedConnection {
  readonly sourceServer: string;
  readonly targetServer: string;
  readonly port: number;
  readonly protocol: string;
  readonly frequency: number;
}

/** Rows that say nothing of the CI. */
export interface Ignored {
  readonly notThisCi: number;
  /** An end that no CI is known by, or several are. */
  readonly unresolved: number;
  readonly self: number;
}

interface Resolved {
  /** Those that touch the CI, and all between two CIs; one per pair, port and protocol. */
  readonly about: readonly PortConnection[];
  readonly all: readonly PortConnection[];
  readonly ignored: Ignored;
}

/** Ends looked up in one call. */
const PER_CALL = 5_000;

const queryOf = (text: string) => {
  const ipAddress = canonicalAddress(text);
  return { ciId: text, hints: [text], hostname: text, ...(ipAddress !== null && { ipAddress }) };
};

async function idsOf(
  { tenant, ports }: Pick<UseCaseContext, 'tenant' | 'ports'>,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const some of slices(texts, PER_CALL)) {
    const bindings = await ports.matcher.bind(tenant, some.map(queryOf));
    some.forEach((text, i) => {
      const found = itemAt(bindings, i).ci;
      if (found !== null) ids.set(text, found.id);
    });
  }
  return ids;
}

/** Adds up what was seen between the same CIs on the same port. */
function summed(connections: readonly PortConnection[]): PortConnection[] {
  const lines = Map.groupBy(connections, ({ source, target, port, protocol }) =>
    [source, target, port, protocol].join(' '),
  );
  return [...lines.values()].map((same) => ({
    ...firstItem(same),
    frequency: same.reduce((sum, { frequency }) => sum + frequency, 0),
  }));
}

/** Finds the CIs of both ends of each row. */
export async function resolveConnections(
  asking: Pick<UseCaseContext, 'tenant' | 'ports'>,
  ciId: string,
  rows: readonly NamedConnection[],
): Promise<Resolved> {
  const names = new Set(rows.flatMap(({ sourceServer, targetServer }) => [sourceServer, targetServer]));
  const ids = await idsOf(asking, [...names]);
  const ignored = { notThisCi: 0, unresolved: 0, self: 0 };
  const between: PortConnection[] = [];
  for (const { sourceServer, targetServer, port, protocol, frequency } of rows) {
    const [source, target] = [ids.get(sourceServer), ids.get(targetServer)];
    if (source === undefined || target === undefined) ignored.unresolved += 1;
    else if (source === target) ignored.self += 1;
    else {
      if (source !== ciId && target !== ciId) ignored.notThisCi += 1;
      between.push({ source, target, port, protocol: protocol.toLowerCase(), frequency });
    }
  }
  const all = summed(between);
  return { about: all.filter(({ source, target }) => source === ciId || target === ciId), all, ignored };
}
