import type { Severity } from '#domain/event/event.ts';

/** A map as the canvas and its tree draw it; whatever page it comes from. */
export interface DrawnNode {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** `cause`, `victim`: it complains; `between`: on the way; `impacted`: it fails silently; `protected`: redundancy saves it. */
  readonly role: 'cause' | 'victim' | 'between' | 'impacted' | 'protected' | 'plain';
  readonly worst: Severity | null;
  /** Events that are not over, and those of them that are acknowledged. */
  readonly open: number;
  readonly acknowledged: number;
  /** `1 of 2 left, 1 needed`: why redundancy saves it. */
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
  /** Id of a proposal that nobody has accepted: no failure goes over it. */
  readonly proposal?: string;
}
export interface Drawing {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}
