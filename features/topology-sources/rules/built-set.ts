import type { RelationshipLine } from '#domain/topology/import.ts';
import { edgeKey, redundantLine, type WantedCi, type WantedEdge, type WantedSet } from './wanted.ts';

type Attributes = Readonly<Record<string, unknown>>;

export interface BuiltCi {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly attributes: Attributes;
  /** Prefix of the name if another CI of the type has the same name. */
  readonly place?: string | undefined;
  readonly isMachine?: true;
}

interface BuiltEdge extends WantedEdge {
  readonly group: string | null;
}
interface EdgeOptions extends Omit<RelationshipLine, 'type'> {
  /** Targets in the same group of a source are redundant. */
  readonly group?: string;
}

/** Collects the CIs and relationships of a source in any order. */
export class BuiltSet {
  readonly #cis = new Map<string, BuiltCi>();
  readonly #edges = new Map<string, BuiltEdge>();
  readonly #members = new Map<string, number>();
  /** Number of relationships by end that no CI has; known after `set`. */
  readonly unresolved = new Map<string, number>();

  get size(): number {
    return this.#cis.size + this.#edges.size;
  }

  get(key: string): BuiltCi | undefined {
    return this.#cis.get(key);
  }

  ci(ci: BuiltCi): void {
    this.#cis.set(ci.key, ci);
  }

  edge(type: string, source: string, target: string, { group, ...line }: EdgeOptions = {}): void {
    const ends = [{ text: source }, { text: target }] as const;
    const key = edgeKey(type, ...ends);
    if (source === target || this.#edges.has(key)) return;
    const named = group === undefined ? null : group;
    this.#edges.set(key, { key, line: { type, ...line }, source: ends[0], target: ends[1], group: named });
  }

  #named(): readonly WantedCi[] {
    const nameKey = ({ name, type }: BuiltCi): string => `${type} ${name.toLowerCase()}`;
    const shared = new Map<string, number>();
    for (const ci of this.#cis.values()) shared.set(nameKey(ci), (shared.get(nameKey(ci)) ?? 0) + 1);
    return [...this.#cis.values()].map((ci): WantedCi => {
      const { key, type, attributes, place, isMachine } = ci;
      const name = place !== undefined && (shared.get(nameKey(ci)) ?? 0) > 1 ? `${place}/${ci.name}` : ci.name;
      return { key, line: { external_key: key, name, type, attributes }, ...(isMachine && { isMachine }) };
    });
  }

  #isThere({ source, target }: BuiltEdge): boolean {
    const missing = [source.text, target.text].find((text) => !this.#cis.has(text));
    if (missing !== undefined) this.unresolved.set(missing, (this.unresolved.get(missing) ?? 0) + 1);
    return missing === undefined;
  }

  /** Omits relationships whose ends are missing. */
  set(): WantedSet {
    this.unresolved.clear();
    this.#members.clear();
    const there = [...this.#edges.values()].filter((edge) => this.#isThere(edge));
    const id = ({ source, group }: BuiltEdge): string => `${group} ${source.text}`;
    for (const edge of there) this.#members.set(id(edge), (this.#members.get(id(edge)) ?? 0) + 1);
    const edges = there.map((edge): WantedEdge => {
      const { group, line, ...ends } = edge;
      const isGroup = group !== null && (this.#members.get(id(edge)) ?? 0) > 1;
      return { ...ends, line: redundantLine(line, isGroup ? group : null) };
    });
    return { cis: this.#named(), edges };
  }
}
