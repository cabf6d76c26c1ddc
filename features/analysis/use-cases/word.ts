import { storeIncident } from '#application/events/incident-records.ts';
import type { Claim } from '#domain/ai/evidence.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type AiAnswer, answer } from '#features/ai/use-cases/answer.ts';
import { type Analysed, recordOf, type Wording } from '#features/analysis/rules/analysis.ts';
import { subjectIdOf, type WantedWording } from '#features/analysis/rules/model-queue.ts';
import { appendAnalyses } from './analyse-events.ts';
import { MODEL_QUEUE } from './queue-for-model.ts';

const KIND = 'analysis-worded';
/** A group is put to the model once in this time, ms. */
const ONCE_IN_MS = 30 * 60_000;
const MAX_ACTIONS = 5;
/** Per run of the job. */
const PER_RUN = 20;

const TASK =
  'An operator reads this. First claim: the probable cause in one plain sentence, or that none can be named. ' +
  'Then one claim for each thing to do, the most useful first. Keep what the rules have found.';

/** False when it had its turn lately. */
const takeTurn = async ({ records, clock }: Ports, { tenant, analysed }: WantedWording): Promise<boolean> => {
  const now = clock.now();
  try {
    await records.put(tenant, KIND, subjectIdOf(analysed), { at: now }, { expected: 0, expiresAt: now + ONCE_IN_MS });
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
};

/** A cause that is only possible stays in the words of the rules: a model's may sound surer than they are. */
const surest = ({ hypothesis }: Analysed, said: Claim = hypothesis): Claim =>
  hypothesis.certainty === 'possible' ? hypothesis : { ...said, certainty: hypothesis.certainty };

/** A proven claim about the root cause begins so. */
const NAMES_CAUSE = /^(?:Probable root cause|Not known)/;

/** The sentences in the places of those of the rules; what the model leaves out stays as it was. */
const worded = (analysed: Analysed, { claims, grounds }: AiAnswer): [Analysed, Wording] => {
  const { generatedBy, model, degraded } = grounds;
  const wording = { generatedBy, model, degraded };
  if (generatedBy === 'rules') return [analysed, wording];
  const said = claims.find(({ text }) => NAMES_CAUSE.test(text));
  const actions = claims.filter((claim) => claim !== said);
  return [
    {
      ...analysed,
      hypothesis: surest(analysed, said),
      actions: actions.length === 0 ? analysed.actions : actions.slice(0, MAX_ACTIONS),
    },
    wording,
  ];
};

const wordOne = async (ports: Ports, wanted: WantedWording, signal: AbortSignal): Promise<void> => {
  if (!(await takeTurn(ports, wanted))) return;
  const { tenant, analysed } = wanted;
  const { pack, hypothesis, actions, abstained, cause, about } = analysed;
  const asking = { tenant, ports, department: null, requestId: null, signal };
  const causes = pack.filter(({ kind, id }) => kind === 'event' && cause !== null && id.endsWith(cause.id));
  const said = await answer(asking, {
    service: 'event-analysis',
    pack,
    claims: [hypothesis, ...actions],
    abstained,
    task: TASK,
    mode: 'auto',
    isAutomatic: true,
    causes: causes.map(({ alias }) => alias),
  });
  const [better, wording] = worded(analysed, said);
  const now = ports.clock.now();
  await appendAnalyses(ports, tenant, [{ event: about.event, analysis: recordOf(better, now, wording) }]);
  if (about.group !== null) {
    const analysis = recordOf(better, now, wording, about.group.id);
    await storeIncident(ports, tenant, about.group.id, { eventId: about.event.id, analysis });
  }
  if (wording.generatedBy === 'model') ports.metrics.count('faultline_analyses_total', { by: 'model' });
};

/** Rewords the waiting analyses of this process with a model, while time is left. */
export const wordAnalyses = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const stop = new AbortController();
  for (let done = 0; done < PER_RUN && !isStopping(); done++) {
    const wanted = ports.memory.of(MODEL_QUEUE).take();
    if (wanted === undefined) return;
    await wordOne(ports, wanted, stop.signal);
  }
};
