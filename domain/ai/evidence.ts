/** The target of a citation. */
export const CITATION_KINDS = ['event', 'ci', 'relationship', 'group', 'service', 'query', 'record'] as const;
export type CitationKind = (typeof CITATION_KINDS)[number];

/** One known fact. `isFreeText`: users or monitors wrote it, so a model receives it marked and cut. */
export interface Fact {
  readonly name: string;
  readonly value: string | number;
  readonly isFreeText?: true;
}

/** Evidence that rules and models may cite. */
export interface EvidenceItem {
  /** Letter of the kind and a number: E1, C1, R1, G1, S1, Q1, D1. */
  readonly alias: string;
  readonly kind: CitationKind;
  /** Id as shown to callers: the eventId of an event. */
  readonly id: string;
  readonly label: string;
  /** Relative link. */
  readonly href: string;
  readonly facts: readonly Fact[];
}

/** Evidence of at most 40 items, best first: the complete input of a model. */
export type EvidencePack = readonly EvidenceItem[];

export const CERTAINTIES = ['fact', 'likely', 'possible'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Limits of a claim (characters, references) and of an answer (claims). */
export const MAX_CLAIM_TEXT = 300;
export const MAX_REFS = 5;
export const MAX_CLAIMS = 8;

/** One sentence and its evidence items. Rules and models produce the same. */
export interface Claim {
  /** Text of at most 300 characters. */
  readonly text: string;
  /** Aliases, 1 to 5. */
  readonly refs: readonly string[];
  readonly certainty: Certainty;
}
