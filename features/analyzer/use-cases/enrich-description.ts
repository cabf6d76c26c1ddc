import { invalid } from '#domain/fault.ts';
import { type AiMode, answer, type Grounds } from '#features/ai/use-cases/answer.ts';
import { choose, groundsWith, type ModelChoice } from '#features/ai/use-cases/choose.ts';
import { softwareById } from '#features/analyzer/rules/catalogue/look-up.ts';
import { CATALOGUE } from '#features/analyzer/rules/catalogue/software.ts';
import { type SaidEnriched, sayEnriched } from '#features/analyzer/rules/insights/say-enriched.ts';
import { type Described, type EnrichedServer, enrich } from '#features/analyzer/rules/servers/enrich.ts';
import type { AnalyzerContext } from './context.ts';

const SERVICE = 'analyzer-enrich';
const TASK = 'Say which software the service most probably runs on, and what tells it.';
const WORD_TASK = 'Each item is a word that a person used. Which software of the list does it mean?';

export interface EnrichAsked extends Described {
  readonly mode: AiMode;
}
export interface EnrichedDescription {
  readonly enriched: EnrichedServer;
  /** Sentences, one after the other. */
  readonly explanation: string;
  readonly grounds: Grounds;
}

/** A CI chosen by id alone must exist. */
function requireKnown({ chosen }: Described): void {
  chosen.forEach(({ catalogId, name }, index) => {
    if (catalogId !== null && name === null && softwareById(catalogId) === null)
      throw invalid(`selectedSoftware[${index}].catalogId`, `no software of the catalogue has the id ${catalogId}`);
  });
}

const ids = CATALOGUE.map(({ id }) => id);

/** Software for words that rules leave open; null when there are none, or no model is to be asked. */
async function mapWords(
  context: AnalyzerContext,
  { findings, words }: SaidEnriched,
  mode: AiMode,
): Promise<ModelChoice | null> {
  if (mode === 'rules' || words.size === 0) return null;
  const of = [...words.keys()].map((ref) => ({ ref, among: ids }));
  const { pack, claims } = findings;
  return choose(context, { service: SERVICE, pack, claims, of, task: WORD_TASK, mode });
}

const mappedBy = ({ words }: SaidEnriched, chosen: ModelChoice | null) =>
  [...(chosen?.choices ?? [])].flatMap(([ref, id]) => {
    const [word, software] = [words.get(ref), softwareById(id)];
    return word === undefined || software === null ? [] : [{ word: word.text, software }];
  });

/** Software, processes, ports and names of machines that the words of a caller speak of. Throws Fault `invalid`. */
export async function enrichDescription(context: AnalyzerContext, asked: EnrichAsked): Promise<EnrichedDescription> {
  requireKnown(asked);
  const { description, mode } = asked;
  const byRules = enrich(asked, []);
  const open = sayEnriched(byRules, description);
  const chosen = await mapWords(context, open, mode);
  const enriched = chosen === null ? byRules : enrich(asked, mappedBy(open, chosen));
  const { pack, claims } = (chosen === null ? open : sayEnriched(enriched, description)).findings;
  const question = {
    service: SERVICE,
    pack,
    claims,
    task: TASK,
    abstained: enriched.software.length === 0,
    // A model that has mapped words was asked once already: sentences are then those of the rules.
    mode: chosen === null ? mode : 'rules',
  } as const;
  const { claims: said, grounds } = await answer(context, question);
  return { enriched, explanation: said.map(({ text }) => text).join(' '), grounds: groundsWith(chosen, grounds) };
}
