/** The set of CIs and relationships that a source reports, and the record of its previous set. Times are epoch ms. */
import type { CiLine, RelationshipLine } from '#domain/topology/import.ts';

/** One end of a relationship. */
export interface WantedEnd {
  /** Id, external key or name. */
  readonly text: string;
  readonly type?: string | undefined;
}
export interface WantedCi {
  /** Identifies the same CI in every run. */
  readonly key: string;
  readonly line: CiLine;
  /** Matched by name if no CI has the key and only one CI has the name. */
  readonly isMachine?: true;
}
export interface WantedEdge {
  readonly key: string;
  readonly line: RelationshipLine;
  readonly source: WantedEnd;
  readonly target: WantedEnd;
}
/** Null removes the attributes: a single target has no redundancy. */
const NO_GROUP = { redundancy_group: null, redundancy_required: null };

/** The line of a relationship to one of several targets of which the source needs only one; null: to the only one. */
export const redundantLine = (line: RelationshipLine, group: string | null): RelationshipLine => ({
  ...line,
  attributes: {
    ...line.attributes,
    ...(group === null ? NO_GROUP : { redundancy_group: group, redundancy_required: 1 }),
  },
});

export interface WantedSet {
  readonly cis: readonly WantedCi[];
  readonly edges: readonly WantedEdge[];
}

/** A CI or relationship as last reported by a source. */
export interface SaidEntry {
  readonly key: string;
  /** ID of the CI or relationship. */
  readonly id: string;
  /** Hash of the reported content. */
  readonly print: string;
  /** Also reported by a user or by another kind of source, so this source never ends it. */
  readonly isKept: boolean;
  /** Time of the first run that missed it; null while it is reported. */
  readonly missingSince: number | null;
}

const endText = ({ text, type }: WantedEnd): readonly [string, string | null] => [
  text.toLowerCase(),
  type?.toLowerCase() ?? null,
];
export const edgeKey = (type: string, source: WantedEnd, target: WantedEnd): string =>
  JSON.stringify([type, ...endText(source), ...endText(target)]);
