import { Fault } from '#domain/fault.ts';
import { countRulesAnswer } from '#features/ai/use-cases/usage/rules-count.ts';
import { conclude, ranked } from '#features/investigations/rules/conclude.ts';
import {
  bounded,
  type CheckedHypothesis,
  type CheckFinding,
  type CheckMade,
  type GroupScene,
  type Investigation,
  type InvestigationStep,
  type PlannedCheck,
  plannedChecks,
  weighed,
} from '#features/investigations/rules/investigation.ts';
import { CHECK_RUNS, type InvestigationAsking } from './checks.ts';
import { chooserOf } from './choose-check.ts';
import type { BegunInvestigation } from './first-sentence.ts';
import { changeHypotheses, rankedHypotheses } from './hypotheses.ts';
import { readScene } from './scene.ts';

/** Time limits of all checks and of one, ms. */
const TOTAL_MS = 15_000;
const CHECK_MS = 4_000;

/** A check has no result if the store doesn't respond in time. */
async function findingOf(
  asking: InvestigationAsking,
  scene: GroupScene,
  { hypothesis }: CheckedHypothesis,
  { check }: PlannedCheck,
): Promise<CheckFinding> {
  try {
    return await asking.ports.deadline.atMost(CHECK_MS, () => CHECK_RUNS[check](asking, scene, hypothesis));
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== 'unavailable') throw error;
    return { text: "Couldn't run this check. The store didn't respond in time.", weight: 0, eventIds: [] };
  }
}

const withCheck = (
  one: CheckedHypothesis,
  finding: CheckFinding,
  { check }: PlannedCheck,
  chosenBy: CheckMade['chosenBy'],
) => {
  const confidence = one.hypothesis.isRejected ? one.confidence : weighed(one.confidence, finding.weight);
  const made: CheckMade = {
    ...finding,
    check,
    chosenBy,
    confidence,
    hypothesis: one.hypothesis.id,
    moved: confidence - one.confidence,
  };
  const isUsual = one.isUsual || finding.isUsual === true;
  return { made, next: { ...one, confidence, isUsual, checks: [...one.checks, made] } };
};

/** Yields the first sentence, the hypotheses, each check as it finishes, and the end. */
export async function* investigate(
  asking: InvestigationAsking,
  begun: BegunInvestigation,
): AsyncGenerator<InvestigationStep> {
  const { ports, tenant, signal, receivedAt } = asking;
  const { clock } = ports;
  const { row, text } = begun;
  yield { step: 'begin', groupId: row.group.id, text };
  const named = await rankedHypotheses(asking, begun);
  const scene = await readScene(asking, begun, named);
  const hypotheses = [...named, ...(await changeHypotheses(asking, scene.changes, named))];
  for (const hypothesis of hypotheses) yield { step: 'hypothesis', hypothesis, hit: scene.hit };
  let checked: readonly CheckedHypothesis[] = hypotheses.map((hypothesis) => ({
    hypothesis,
    confidence: bounded(hypothesis.prior),
    isUsual: false,
    checks: [],
  }));
  const chooser = chooserOf(asking, scene);
  const until = clock.now() + TOTAL_MS;
  let left = plannedChecks(hypotheses);
  while (left.length > 0 && clock.now() < until && !signal.aborted) {
    const wished = await chooser.next(left, checked);
    const planned = wished ?? left[0];
    const one = checked.find(({ hypothesis }) => hypothesis.id === planned?.hypothesis);
    if (planned === undefined || one === undefined) break;
    const finding = await findingOf(asking, scene, one, planned);
    const { made, next } = withCheck(one, finding, planned, wished === null ? 'rules' : 'model');
    checked = checked.map((other) => (other === one ? next : other));
    left = left.filter((other) => other !== planned);
    yield { step: 'check', check: made };
  }
  const choosing = chooser.choosing();
  if (choosing.model === null) countRulesAnswer(ports, tenant);
  const order = ranked(checked);
  const conclusion = conclude(order, scene);
  const tookMs = clock.now() - receivedAt;
  yield {
    step: 'end',
    investigation: { text, scene, hypotheses: order, conclusion, isCut: left.length > 0, choosing, tookMs },
  };
}

/** The end of the steps. */
export async function wholeInvestigation(steps: AsyncIterable<InvestigationStep>): Promise<Investigation> {
  for await (const told of steps) if (told.step === 'end') return told.investigation;
  throw new Error('the investigation ended without a conclusion');
}
