/** A machine of a search. */
interface SoughtMachine {
  readonly id: string;
  readonly name: string;
  /** It was named or given. */
  readonly isAnchor: boolean;
  /** Something of it is looked for. */
  readonly hasSign: boolean;
}

/** `source` depends on or connects to `target`. */
export interface MachineLink {
  readonly source: string;
  readonly target: string;
}

const ROUNDS = 6;

/** `core-app-01` as `core-app-`. */
const stemOf = (name: string): string => name.toLowerCase().replace(/[0-9]{1,6}.{0,64}$/, '');

/** Numbered alike, and depends on the same. */
function siblingsOf(
  one: SoughtMachine,
  machines: readonly SoughtMachine[],
  targets: ReadonlyMap<string, ReadonlySet<string>>,
): SoughtMachine[] {
  const stem = stemOf(one.name);
  if (stem === one.name.toLowerCase()) return [];
  const own = targets.get(one.id) ?? new Set<string>();
  return machines.filter(
    (other) =>
      other.hasSign && stemOf(other.name) === stem && [...(targets.get(other.id) ?? [])].some((id) => own.has(id)),
  );
}

/** IDs of machines that the anchors lead to, with their siblings; null without anchors or links. */
export function belonging(
  machines: readonly SoughtMachine[],
  links: readonly MachineLink[],
): ReadonlySet<string> | null {
  const anchors = machines.filter(({ isAnchor }) => isAnchor);
  const targets = new Map<string, Set<string>>();
  for (const { source, target } of links)
    if (source !== target) targets.set(source, (targets.get(source) ?? new Set()).add(target));
  if (anchors.every(({ id }) => !targets.has(id))) return null;
  const byId = new Map(machines.map((one) => [one.id, one]));
  const found = new Set(anchors.map(({ id }) => id));
  let layer = anchors;
  for (let round = 0; round < ROUNDS && layer.length > 0; round++) {
    const next = layer.flatMap((one) => [
      ...[...(targets.get(one.id) ?? [])].flatMap((id) => byId.get(id) ?? []),
      ...siblingsOf(one, machines, targets),
    ]);
    layer = [...new Set(next)].filter(({ id, hasSign }) => hasSign && !found.has(id));
    for (const { id } of layer) found.add(id);
  }
  return found;
}
