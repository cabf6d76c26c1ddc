import type { Severity } from '#domain/event/event.ts';

/** A map as the canvas and its tree draw it, for any page. */
export interface DrawnNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /**
   * `cause`, `victim`: it has a problem; `between`: on the path; `impacted`: it fails silently; `protected`: redundancy
   * saves it.
   */
  readonly role: 'cause' | 'victim' | 'between' | 'impacted' | 'protected' | 'plain';
  readonly worst: Severity | null;
  /** Events that are not over, and those of them that are acknowledged. */
  readonly open: number;
  readonly acknowledged: number;
  /** Health of a service, which has no events of its own: `Critical`. */
  readonly state?: string;
  /** `1 of 2 available, 1 required`: why redundancy saves it. */
  readonly saved?: string;
}
interface DrawnEdge {
  /** The dependant. */
  readonly source: string;
  /** Its dependency: drawn above. */
  readonly target: string;
  readonly type: string;
  /** AI proposed it. */
  readonly isFromAi?: boolean;
  /** Id of an open proposal: no failure spreads over it. */
  readonly proposal?: string;
}
export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
  /** Further CIs were not read. */
  readonly isCut?: boolean;
}
