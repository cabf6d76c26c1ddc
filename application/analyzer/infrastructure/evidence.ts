import type { UseCaseContext } from '#application/access/context.ts';
import type { Grounds } from '#application/ai/answer.ts';
import { claimsThatHold } from '#application/ai/cited.ts';
import { countRulesAnswer } from '#application/ai/usage/rules-count.ts';
import type { Claim, EvidenceItem } from '#domain/ai/evidence.ts';
import { counted, enumeration } from '#domain/ai/findings.ts';
import type { Tier } from '#domain/services/catalogue/roles.ts';
import type { FoundMember, FoundService } from '#domain/services/communities/found-service.ts';
import type { ReadAnalysis } from './read-analysis.ts';

const MAX_CITED = 5;
const MAX_NAMED = 3;

/** CIs by the alias under which sentences cite them. */
class Cited {
  readonly #items = new Map<string, EvidenceItem>();

  refsOf(members: readonly FoundMember[]): string[] {
    return members.slice(0, MAX_CITED).map(({ ciId: id, name: label }) => {
      const alias = this.#items.get(id)?.alias ?? `C${this.#items.size + 1}`;
      this.#items.set(id, { alias, kind: 'ci', id, label, href: `/v1/cmdb/ci/${id}`, facts: [] });
      return alias;
    });
  }
  get items(): EvidenceItem[] {
    return [...this.#items.values()];
  }
}

interface Sentence {
  readonly text: string;
  readonly about: readonly FoundMember[];
  readonly certainty?: Claim['certainty'];
}

/** What the members of a tier do. */
const DOING: Readonly<Record<Tier, string>> = {
  frontend: 'Takes requests in',
  application: 'Does the work',
  data: 'Keeps the data',
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

/** Why these CIs are one service. */
function sentencesOf(service: FoundService): Sentence[] {
  const { members, size, linksWithin, linksLeaving, word, connectedTo, core, edge } = service;
  const those = (ids: readonly string[]): FoundMember[] => members.filter(({ ciId }) => ids.includes(ciId));
  const among = `${counted(linksWithin, 'connection')} among them, ${linksLeaving} to other services`;
  const linked: Sentence = {
    text: `${counted(size, 'CI')} with ${among}.`,
    about: core.length > 0 ? those(core) : members,
  };
  const named: Sentence[] =
    word === null ? [] : [{ text: `${word.count} of ${size} names have “${word.text}”.`, about: those(word.ciIds) }];
  const [first] = connectedTo;
  const others: Sentence[] =
    first === undefined
      ? []
      : [{ text: `Most connections to another service lead to ${first.name}: ${first.links}.`, about: those(edge) }];
  return [linked, ...named, ...tierSentences(service), ...others];
}

const claimsOf = (sentences: readonly Sentence[], cited: Cited): Claim[] =>
  sentences.flatMap(({ text, about, certainty = 'fact' }) =>
    about.length === 0 ? [] : [{ text, refs: cited.refsOf(about), certainty }],
  );

/** What was found in all; said of the services that are shown. */
function summaryOf({ session, services, total }: ReadAnalysis): Sentence[] {
  const { cis = 0, unassigned = 0, hubs = 0 } = session.counts;
  const about = services.flatMap(({ members }) => members.slice(0, 1));
  const names = enumeration(
    services.map(({ name }) => name),
    MAX_NAMED,
  );
  return [
    { text: `${counted(total, 'service')} among ${counted(cis, 'CI')}, such as ${names}.`, about, certainty: 'likely' },
    { text: `${counted(unassigned, 'CI')} belong to none; ${counted(hubs, 'hub')} left out.`, about },
  ];
}

interface ShownService extends FoundService {
  readonly evidence: readonly Claim[];
}
export interface ShownAnalysis extends ReadAnalysis {
  readonly services: readonly ShownService[];
  readonly grounds: Grounds;
}

/** The result with what it stands on; sentences about CIs that are gone are left out. */
export async function withEvidence(
  { ports, tenant }: Pick<UseCaseContext, 'ports' | 'tenant'>,
  read: ReadAnalysis,
): Promise<ShownAnalysis> {
  const cited = new Cited();
  const summary = claimsOf(summaryOf(read), cited);
  const perService = read.services.map((service) => claimsOf(sentencesOf(service), cited));
  const all = [...summary, ...perService.flat()];
  const sound = new Set(await claimsThatHold(ports, tenant, all, cited.items));
  const refs = new Set([...sound].flatMap((claim) => claim.refs));
  const isDone = read.session.status === 'completed';
  if (isDone) countRulesAnswer(ports, tenant);
  return {
    ...read,
    services: read.services.map((service, i) => ({
      ...service,
      evidence: perService[i]!.filter((one) => sound.has(one)),
    })),
    grounds: {
      ...{ generatedBy: 'rules', model: null, abstained: isDone && read.total === 0, degraded: null },
      claims: summary.filter((claim) => sound.has(claim)),
      citations: cited.items
        .filter(({ alias }) => refs.has(alias))
        .map(({ alias: ref, kind, id, label, href }) => ({ ref, kind, id, label, href })),
    },
  };
}
