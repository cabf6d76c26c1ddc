/** The guard: a run that would end too much of the previous set ends nothing until it is confirmed. */

/** Maximum share of the previous set that ends without confirmation. */
const MOST = 0.3;
/** Calls between services vary, so a few relationships never require a confirmation. */
const FEW_EDGES = 10;
/** Number of names to show. */
const SHOWN = 10;

/** Number of CIs and relationships that would end, and of all. */
export interface Endings {
  readonly cis: number;
  readonly ofCis: number;
  readonly edges: number;
  readonly ofEdges: number;
}

/** Endings that wait for a confirmation. */
export interface HeldEndings extends Endings {
  /** ms. */
  readonly since: number;
  /** Keys of the first few CIs. */
  readonly examples: readonly string[];
}

const isTooMany = (ends: number, of: number): boolean => of > 0 && ends / of > MOST;

export const needsConfirmation = ({ cis, ofCis, edges, ofEdges }: Endings): boolean =>
  isTooMany(cis, ofCis) || (edges > FEW_EDGES && isTooMany(edges, ofEdges));

export const heldEndings = (endings: Endings, keys: readonly string[], since: number): HeldEndings => ({
  ...endings,
  since,
  examples: keys.slice(0, SHOWN),
});
