/** Evidence that a CI is the cause: problems that others do not have, and that it does not always have. */
import {
  belowOf,
  type Cause,
  type CauseCandidate,
  type Causes,
  type CiEvidence,
  type CiNode,
  explains,
  type FoundClue,
  type GroupEvidence,
  type GroupSays,
  isBefore,
  isInTime,
  silentNode,
  suspectOn,
} from './causes.ts';

/** Time constant of being early, ms. */
const EARLY_MS = 300_000;
/** Share of a problem that is explained by events upstream. */
const EXPLAINED_ABOVE = 0.7;
const KNOWN = 2;
const SYMPTOM = 0.5;
/** Clues beside the strongest count for this share. */
const FURTHER = 0.5;
/** A problem of n CIs counts 1/n to this power for each of them if no cause is known. */
const SHARED = 0.7;
/** Added to a score by the highest evidence. */
const WEIGHTS: Readonly<Record<GroupSays, number>> = { known: 1, unknown: 2, symptoms: 2 };
/** Parts needed: one part that reports a problem is no evidence for the whole. */
const MIN_PARTS = 2;

/** A problem of a CI, with its worth before it is divided among all CIs that have it. */
interface Saying {
  readonly cause: Cause;
  readonly worth: number;
}

/** Problems of the parts of a CI; and the number of its parts. */
interface WholeSayings {
  all: number;
  readonly byComplaint: Map<string, Saying[]>;
}

const saysOf = ({ nodes, sayersOf }: Causes): GroupSays => {
  if (sayersOf.size === 0) return 'symptoms';
  return [...nodes.values()].some(({ sweepsFrom }) => sweepsFrom < Number.POSITIVE_INFINITY) ? 'known' : 'unknown';
};

/** Commonness on CIs of the type counts less where a problem is known to cause others. */
const rarity = ({ habit, commonness }: Cause, isKnown: boolean): number =>
  1 / ((1 + habit) * (isKnown ? 1 + commonness : 1));

/** An event that explains everything below it, and the share of a problem that it leaves. */
interface Sweeper {
  readonly time: number;
  readonly left: number;
}

/**
 * Returns by member CI the events upstream that explain all problems below. A cause is one of a kind: a problem that
 * several CIs report explains less.
 */
const sweepersAbove = (causes: Causes): Map<CiNode, Sweeper[]> => {
  const above = new Map<CiNode, Sweeper[]>();
  for (const node of causes.nodes.values()) {
    if (node.sweepsFrom === Number.POSITIVE_INFINITY) continue;
    const own = [...node.said]
      .filter(([, { sweeping }]) => sweeping)
      .map(([says, { time }]) => ({ time, left: 1 - EXPLAINED_ABOVE / (causes.sayersOf.get(says) ?? 1) }));
    for (let lower = belowOf(causes, node); lower; lower = lower.next) {
      if (lower.node === node) continue;
      const known = above.get(lower.node);
      if (known === undefined) above.set(lower.node, [...own]);
      else known.push(...own);
    }
  }
  return above;
};

const leftBy = (sweepers: readonly Sweeper[], effect: Cause): number => {
  let share = 1;
  for (const { time, left } of sweepers) if (left < share && isInTime(time, effect)) share = left;
  return share;
};

/** Sums in one order, so that equal groups have equal sums. */
const summed = (numbers: readonly number[]): number => numbers.toSorted((a, b) => b - a).reduce((sum, n) => sum + n, 0);

const strongest = (sayings: readonly Saying[]): Saying =>
  sayings.reduce((best, one) =>
    one.worth > best.worth || (one.worth === best.worth && isBefore(one.cause, best.cause)) ? one : best,
  );

const evidenceFrom = (found: readonly FoundClue[]): CiEvidence => {
  const clues =
    found.length === 1 ? found : found.toSorted((a, b) => b.worth - a.worth || (isBefore(a.cause, b.cause) ? -1 : 1));
  const [first, ...others] = clues;
  return { clues, sum: (first?.worth ?? 0) + FURTHER * others.reduce((sum, { worth }) => sum + worth, 0) };
};

/** Facts of the group by which all its CIs are judged. */
interface Standing extends Pick<Causes, 'first' | 'sayersOf' | 'sufferersOf'> {
  readonly isKnown: boolean;
  readonly above: ReadonlyMap<CiNode, readonly Sweeper[]>;
}
const NOTHING_ABOVE: readonly Sweeper[] = [];

/** Returns the clues of a CI by itself; passes evidence for its parent CIs to `others`. */
const ownClues = (
  node: CiNode,
  { first, sayersOf, sufferersOf, isKnown, above }: Standing,
  others: (complaint: string, saying: Saying) => void,
): FoundClue[] => {
  const found: FoundClue[] = [];
  const sweepers = above.get(node) ?? NOTHING_ABOVE;
  let symptom: FoundClue | null = null;
  for (const [complaint, cause] of node.said) {
    const left = leftBy(sweepers, cause);
    if (cause.spreads) {
      const worth = (SYMPTOM * left * rarity(cause, isKnown)) / (sufferersOf.get(cause.template) ?? 1);
      if (symptom === null || worth > symptom.worth || (worth === symptom.worth && isBefore(cause, symptom.cause)))
        symptom = { kind: 'symptom', cause, worth, cis: 0, habit: cause.habit };
      continue;
    }
    const early = Math.exp((first - cause.time) / EARLY_MS);
    const worth = left * early * (cause.sweeping ? KNOWN : 1) * rarity(cause, isKnown);
    const cis = sayersOf.get(complaint) ?? 1;
    found.push({ kind: 'own', cause, worth: worth / (isKnown ? cis : cis ** SHARED), cis, habit: cause.habit });
    others(complaint, { cause, worth });
  }
  return symptom === null ? found : [...found, symptom];
};

/** True if an event of the CI itself explains the problem of one of its parts. */
const isCovered = (node: CiNode | undefined, sayings: readonly Saying[]): boolean =>
  node !== undefined &&
  [...node.suspects.values()].some(([first]) => first && sayings.some(({ cause }) => explains(first.cause, cause)));

/** Returns the clues of a parent CI from its parts. */
const cluesByParts = (
  { all, byComplaint: byProblem }: WholeSayings,
  node: CiNode | undefined,
  sayersOf: ReadonlyMap<string, number>,
): FoundClue[] => {
  const found: FoundClue[] = [];
  for (const [complaint, sayings] of byProblem) {
    const saying = sayings.length;
    if (saying < MIN_PARTS || isCovered(node, sayings)) continue;
    const cis = sayersOf.get(complaint) ?? saying;
    const mean = summed(sayings.map(({ worth }) => worth)) / saying;
    const { cause } = strongest(sayings);
    const parts = { saying, all: Math.max(all, saying) };
    const worth = mean * (saying / parts.all) * (saying / cis);
    found.push({ kind: 'parts', cause, worth, cis, habit: cause.habit, parts });
  }
  return found;
};

/** Position alone decides where only symptoms are reported. */
const ofSymptomsAlone = ({ nodes }: Causes): Map<string, FoundClue[]> => {
  const byCi = new Map<string, FoundClue[]>();
  for (const { ciId, said } of nodes.values()) {
    const causes = [...said.values()];
    if (ciId === null || causes.length === 0) continue;
    const cause = causes.reduce((first, one) => (isBefore(one, first) ? one : first));
    byCi.set(ciId, [{ kind: 'symptom', cause, worth: 1, cis: 0, habit: cause.habit }]);
  }
  return byCi;
};

/** Returns clues by CI: O(problems of all CIs + parents of all CIs + CIs above each). */
const cluesIn = (causes: Causes, isKnown: boolean): Map<string, FoundClue[]> => {
  const { first, sayersOf, sufferersOf } = causes;
  const standing = { first, sayersOf, sufferersOf, isKnown, above: sweepersAbove(causes) };
  const byCi = new Map<string, FoundClue[]>();
  const wholes = new Map<string, WholeSayings>();
  for (const node of causes.nodes.values()) {
    if (node.ciId === null) continue;
    for (const { ci, parts } of node.wholes) {
      const known = wholes.get(ci);
      if (known === undefined) wholes.set(ci, { all: parts, byComplaint: new Map() });
      else known.all = Math.max(known.all, parts);
    }
    const clues = ownClues(node, standing, (complaint, saying) => {
      for (const { ci } of node.wholes) {
        const byProblem = wholes.get(ci)!.byComplaint;
        const sayings = byProblem.get(complaint);
        if (sayings === undefined) byProblem.set(complaint, [saying]);
        else sayings.push(saying);
      }
    });
    if (clues.length > 0) byCi.set(node.ciId, clues);
  }
  for (const [ci, sayings] of wholes) {
    const clues = cluesByParts(sayings, causes.nodes.get(ci), sayersOf);
    if (clues.length > 0) byCi.set(ci, [...(byCi.get(ci) ?? []), ...clues]);
  }
  return byCi;
};

const silentIn = (causes: Causes, byCi: ReadonlyMap<string, CiEvidence>): CauseCandidate[] =>
  [...byCi]
    .filter(([ci]) => !causes.nodes.has(ci))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([ci, { clues }]) => suspectOn(causes, silentNode(ci), clues[0]!.cause, -1));

/** Returns the evidence of the current group; cached until a member is added. */
export function evidenceIn(causes: Causes): GroupEvidence {
  if (causes.evidence !== null) return causes.evidence;
  const byCi = new Map<string, CiEvidence>();
  let most = 0;
  const says = saysOf(causes);
  for (const [ci, clues] of says === 'symptoms' ? ofSymptomsAlone(causes) : cluesIn(causes, says === 'known')) {
    const found = evidenceFrom(clues);
    byCi.set(ci, found);
    most = Math.max(most, found.sum);
  }
  causes.evidence = { says, byCi, most, silent: silentIn(causes, byCi) };
  return causes.evidence;
}

const NO_EVIDENCE: CiEvidence = { sum: 0, clues: [] };
export const evidenceOf = ({ byCi }: GroupEvidence, ciId: string | null): CiEvidence =>
  (ciId === null ? undefined : byCi.get(ciId)) ?? NO_EVIDENCE;

/**
 * Returns the evidence of the CI as a share of the highest of the group, 0 to 1, and the resulting bonus on a score.
 */
export const partOf = (
  evidence: GroupEvidence,
  ciId: string | null,
): { readonly share: number; readonly score: number } => {
  const { most, says } = evidence;
  const share = most === 0 ? 0 : evidenceOf(evidence, ciId).sum / most;
  return { share, score: WEIGHTS[says] * share };
};
