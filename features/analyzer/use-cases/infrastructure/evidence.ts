import type { UseCaseContext } from '#application/access/context.ts';
import type { Claim, EvidenceItem } from '#domain/ai/evidence.ts';
import { itemAt } from '#domain/assert.ts';
import { counted, enumeration } from '#features/ai/rules/findings.ts';
import type { AnswerEvidence } from '#features/ai/use-cases/answer.ts';
import { claimsThatHold } from '#features/ai/use-cases/cited.ts';
import { countRulesAnswer } from '#features/ai/use-cases/usage/rules-count.ts';
import type { Tier } from '#features/analyzer/rules/catalogue/roles.ts';
import type { FoundMember, FoundService } from '#features/analyzer/rules/communities/found-service.ts';
import { isBusinessService } from '#features/analyzer/rules/communities/infrastructure.ts';
import type { ReadAnalysis } from './read-analysis.ts';

const MAX_CITED = 5;
const MAX_NAMED = 3;

const PATH = '/api/business-service-analyzer/infrastructure-analysis';
/** Stands for all that was counted. */
const RESULT = 'Q1';

/** CIs by the alias under which sentences cite them, and the result, which counts what no list of five CIs shows. */
class Cited {
  readonly #items = new Map<string, EvidenceItem>();
  readonly #result: EvidenceItem;

  constructor(session: string) {
    const [label, href] = ['result of the analysis', `${PATH}/${session}`];
    this.#result = { alias: RESULT, kind: 'query', id: session, label, href, facts: [] };
  }

  refsOf(members: readonly FoundMember[]): string[] {
    return members.slice(0, MAX_CITED).map(({ ciId: id, name: label }) => {
      const alias = this.#items.get(id)?.alias ?? `C${this.#items.size + 1}`;
      this.#items.set(id, { alias, kind: 'ci', id, label, href: `/v1/cmdb/ci/${id}`, facts: [] });
      return alias;
    });
  }
  get items(): EvidenceItem[] {
    return [this.#result, ...this.#items.values()];
  }
}

interface Sentence {
  readonly text: string;
  readonly about: readonly FoundMember[];
  readonly certainty?: Claim['certainty'];
  /** True if the sentence has a count, so that the result itself is cited, too. */
  readonly counts?: true;
}

/** Roles of the members of a tier. */
const DOING: Readonly<Record<Tier, string>> = {
  frontend: 'Receives requests',
  application: 'Processes requests',
  data: 'Stores data',
  infrastructure: 'Serves as infrastructure',
};

const tierSentences = ({ members }: FoundService): Sentence[] =>
  (Object.keys(DOING) as Tier[]).map((tier) => {
    const about = members.filter((member) => member.tier === tier);
    const names = enumeration(
      about.map(({ name }) => name),
      MAX_NAMED,
    );
    return { text: `${DOING[tier]}: ${names}.`, about, certainty: 'likely' };
  });

/** Reasons for the CIs to be one service. */
function sentencesOf(service: FoundService): Sentence[] {
  const { members, size, linksWithin, linksLeaving, word, connectedTo, core, edge } = service;
  const those = (ids: readonly string[]): FoundMember[] => members.filter(({ ciId }) => ids.includes(ciId));
  const among = `${counted(linksWithin, 'connection')} between them, ${linksLeaving} to other services`;
  const linked: Sentence = {
    text: `${counted(size, 'CI')} with ${among}.`,
    about: core.length > 0 ? those(core) : members,
    counts: true,
  };
  const inCmdb = members.filter((member) => member.name === service.name && isBusinessService(member));
  const called: Sentence[] =
    inCmdb.length === 0 ? [] : [{ text: `Existing business service in the CMDB: ${service.name}.`, about: inCmdb }];
  const named: Sentence[] =
    word === null
      ? []
      : [{ text: `${word.count} of ${size} names contain “${word.text}”.`, about: those(word.ciIds), counts: true }];
  const [first] = connectedTo;
  const others: Sentence[] =
    first === undefined
      ? []
      : [
          {
            text: `Most connections to another service: ${first.name}: ${first.links}.`,
            about: those(edge),
            counts: true,
          },
        ];
  return [linked, ...called, ...named, ...tierSentences(service), ...others];
}

const claimsOf = (sentences: readonly Sentence[], cited: Cited): Claim[] =>
  sentences.flatMap(({ text, about, certainty = 'fact', counts }) => {
    const refs = [...(counts ? [RESULT] : []), ...cited.refsOf(about)].slice(0, MAX_CITED);
    return refs.length === 0 ? [] : [{ text, refs, certainty }];
  });

/** Total number, stated for the shown services. */
function summaryOf({ session, services, total }: ReadAnalysis): Sentence[] {
  const { cis = 0, unassigned = 0, hubs = 0 } = session.counts;
  const about = services.flatMap(({ members }) => members.slice(0, 1));
  const names = enumeration(
    services.map(({ name }) => name),
    MAX_NAMED,
  );
  if (total === 0) return [{ text: `No services found in ${counted(cis, 'CI')}.`, about, counts: true }];
  const none =
    unassigned === 0
      ? 'Each CI belongs to one'
      : `${counted(unassigned, 'CI')} ${unassigned === 1 ? 'belongs' : 'belong'} to none`;
  const left = hubs === 0 ? '' : `, ${hubs} of them ${hubs === 1 ? 'a shared hub' : 'shared hubs'}`;
  const such = names === '' ? '' : `, such as ${names}`;
  const among = `${counted(total, 'service')} among ${counted(cis, 'CI')}${such}.`;
  return [
    { text: among, about, certainty: 'likely', counts: true },
    { text: `${none}${left}.`, about: [], counts: true },
  ];
}

interface ShownService extends FoundService {
  readonly evidence: readonly Claim[];
}
export interface ShownAnalysis extends ReadAnalysis {
  readonly services: readonly ShownService[];
  readonly grounds: AnswerEvidence;
}

/** Returns the result with its evidence; drops sentences about deleted CIs. */
export async function withEvidence(
  { ports, tenant }: Pick<UseCaseContext, 'ports' | 'tenant'>,
  read: ReadAnalysis,
): Promise<ShownAnalysis> {
  const isDone = read.session.status === 'completed';
  const cited = new Cited(read.session.id);
  const summary = isDone ? claimsOf(summaryOf(read), cited) : [];
  const perService = read.services.map((service) => claimsOf(sentencesOf(service), cited));
  const all = [...summary, ...perService.flat()];
  const sound = new Set(await claimsThatHold(ports, tenant, all, cited.items));
  const refs = new Set([...sound].flatMap((claim) => claim.refs));
  if (isDone) countRulesAnswer(ports, tenant);
  return {
    ...read,
    services: read.services.map((service, i) => ({
      ...service,
      evidence: itemAt(perService, i).filter((one) => sound.has(one)),
    })),
    grounds: {
      generatedBy: 'rules',
      model: null,
      abstained: isDone && read.total === 0,
      degraded: null,
      claims: summary.filter((claim) => sound.has(claim)),
      citations: cited.items
        .filter(({ alias }) => refs.has(alias))
        .map(({ alias: ref, kind, id, label, href }) => ({ ref, kind, id, label, href })),
    },
  };
}
