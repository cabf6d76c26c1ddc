import { invalid } from '#domain/fault.ts';
import { type AiMode, type AnswerEvidence, answer } from '#features/ai/use-cases/answer.ts';
import { choose, evidenceWith, type ModelChoice } from '#features/ai/use-cases/choose.ts';
import { softwareById } from '#features/analyzer/rules/catalogue/look-up.ts';
import { CATALOGUE } from '#features/analyzer/rules/catalogue/software.ts';
import { describeEnriched, type SaidEnriched } from '#features/analyzer/rules/insights/describe-enriched.ts';
import { type Described, type EnrichedServer, enrich } from '#features/analyzer/rules/servers/enrich.ts';
import type { AnalyzerContext } from './context.ts';

const SERVICE = 'analyzer-enrich';
const TASK = 'State which software the service most probably runs on, and the evidence for it.';
const WORD_TASK = 'Each item is a word that a person used. Which software of the list does it mean?';

export interface EnrichAsked extends Described {
  readonly mode: AiMode;
}
export interface EnrichedDescription {
  readonly enriched: EnrichedServer;
  /** Sentences, one after the other. */
  readonly explanation: string;
  readonly grounds: AnswerEvidence;
}

/** A CI chosen by id alone must exist. */
function requireKnown({ chosen }: Described): void {
  chosen.forEach(({ catalogId, name }, index) => {
    if (catalogId !== null && name === null && softwareById(catalogId) === null)
      throw invalid(`selectedSoftware[${index}].catalogId`, `no catalog software with ID ${catalogId}`);
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

const MAX_HOSTS = 10;
/** A word in more names than this is general. */
const MAX_NAMED = 20;
/** Words in names of machines of any service. */
const GENERAL: ReadonlySet<string> = new Set(
  'core edge main data test prod stage uat dev web app api db sql gateway proxy cache queue batch report backup monitor'.split(
    ' ',
  ),
);
/** CIs that no service runs on. */
const NO_MACHINE = /switch|router|firewall|site|rack|pdu|ups|storage|hypervisor|network|sensor|printer/;

/** Patterns of machines that have a word of the description, which names no software, in their names. */
async function hostsNamedBy({ tenant, ports, caller }: AnalyzerContext, { open }: EnrichedServer): Promise<string[]> {
  if (!caller.permissions.has('cmdb.read')) return [];
  const words = open.filter(({ from, text }) => from === 'description' && /^[a-z0-9]{3,30}$/i.test(text));
  const patterns: string[] = [];
  for (const word of new Set(words.map(({ text }) => text.toLowerCase()))) {
    if (GENERAL.has(word)) continue;
    const page = { sort: 'name', order: 'asc', limit: MAX_NAMED + 1 } as const;
    const { items } = await ports.topology.findCis(tenant, { search: word }, page);
    const named = items.filter(
      ({ name, type }) =>
        !NO_MACHINE.test(type) &&
        name
          .toLowerCase()
          .split(/[^a-z0-9]+/)
          .includes(word),
    );
    if (named.length > 0 && named.length <= MAX_NAMED && items.length <= MAX_NAMED) patterns.push(`*${word}*`);
  }
  return patterns;
}

/** Software, processes, ports and names of machines that the words of a caller speak of. Throws Fault `invalid`. */
export async function enrichDescription(context: AnalyzerContext, asked: EnrichAsked): Promise<EnrichedDescription> {
  requireKnown(asked);
  const { description, mode } = asked;
  const byRules = enrich(asked, []);
  const open = describeEnriched(byRules, description);
  const chosen = await mapWords(context, open, mode);
  const worded = chosen === null ? byRules : enrich(asked, mappedBy(open, chosen));
  const enriched = {
    ...worded,
    hostnames: [...worded.hostnames, ...(await hostsNamedBy(context, worded))].slice(0, MAX_HOSTS),
  };
  const { pack, claims } = (chosen === null ? open : describeEnriched(enriched, description)).findings;
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
  return { enriched, explanation: said.map(({ text }) => text).join(' '), grounds: evidenceWith(chosen, grounds) };
}
