import { firstItem } from '#domain/assert.ts';
import { rounded } from '#domain/numbers.ts';
import { type KnownPort, NEEDED_PORTS, WEB_PORTS } from '#features/discovery/rules/port-table.ts';

/** Chance that a connection to a port of this kind is a dependency, before anything else is known. */
export const PRIORS = { needed: 0.75, web: 0.55, other: 0.3, ephemeral: 0.1 } as const;
/** Lowest ephemeral port: its number carries almost no information. */
const EPHEMERAL_FROM = 32_768;
/** Number of connections that counts for 1 − 1/e. */
const FREQUENCY_SCALE = 10;
/** Fields that the CMDB adds by itself. */
export const SIGNS = { listens: 0.3, agrees: 0.2, days: 0.2 } as const;
/** Days on which a connection was seen that make a sign. */
const DAYS = 3;
/** A source that connects to more targets on one port monitors or backs up. */
export const FAN_OUT = 20;
const FAN_OUT_CONFIDENCE = 0.4;
export const MAX_CONFIDENCE = 0.95;
export const LISTED_FROM = 0.3;

/** Connections between two CIs on one port, summed. */
export interface PortConnection {
  readonly source: string;
  readonly target: string;
  readonly port: number;
  readonly protocol: string;
  readonly frequency: number;
}

/** Connections in the CMDB. */
export interface Knowledge {
  /** The target listens on the port. */
  listens(target: string, port: number): boolean;
  /** One of these words is in the target's type, or in the process that listens there. */
  agrees(target: string, port: number, words: readonly string[]): boolean;
  /** Days from the first to the last sighting, both counted. */
  days(source: string, target: string, port: number): number;
  /** Targets of the source on the port, at least. */
  targets(source: string, port: number): number;
}

export type ProposalSign = keyof typeof SIGNS | 'fan-out' | 'cluster' | 'replication';

export interface Inferred {
  readonly source: string;
  readonly target: string;
  readonly type: 'depends_on' | 'communicates_with';
  /** 0 to `MAX_CONFIDENCE`, three digits. */
  readonly confidence: number;
  /** Most significant port. */
  readonly port: number;
  readonly protocol: string;
  /** Name of the known service; null for other ports. */
  readonly service: string | null;
  readonly frequency: number;
  readonly signs: readonly ProposalSign[];
}

export interface Inference {
  /** The surest first. */
  readonly listed: readonly Inferred[];
  /** Number of relationships below the confidence `LISTED_FROM`. */
  readonly tooUncertain: number;
}

interface PortAssessment {
  readonly prior: number;
  readonly known: KnownPort | null;
  readonly isNeeded: boolean;
}

function judge(port: number): PortAssessment {
  const needed = NEEDED_PORTS.get(port);
  if (needed !== undefined) return { prior: PRIORS.needed, known: needed, isNeeded: true };
  const web = WEB_PORTS.get(port);
  if (web !== undefined) return { prior: PRIORS.web, known: web, isNeeded: true };
  const prior = port >= EPHEMERAL_FROM ? PRIORS.ephemeral : PRIORS.other;
  return { prior, known: null, isNeeded: false };
}

/** `1 − (1 − p·(1 − e^(−f/10)))·Π(1 − b)`. */
export function confidenceOf(prior: number, frequency: number, signs: readonly (keyof typeof SIGNS)[]): number {
  const heard = 1 - prior * (1 - Math.exp(-frequency / FREQUENCY_SCALE));
  return 1 - signs.reduce((doubt, sign) => doubt * (1 - SIGNS[sign]), heard);
}

const pairOf = ({ source, target }: Pick<PortConnection, 'source' | 'target'>): string => `${source} ${target}`;

/** Returns the most significant port; of equal ones the most frequent, then the lowest. */
const telling = (connections: readonly PortConnection[]): PortConnection =>
  firstItem(
    connections.toSorted(
      (a, b) => judge(b.port).prior - judge(a.port).prior || b.frequency - a.frequency || a.port - b.port,
    ),
  );

const signsOf = ({ source, target, port }: PortConnection, { known }: PortAssessment, knowledge: Knowledge) => {
  const found: (keyof typeof SIGNS)[] = [];
  if (knowledge.listens(target, port)) found.push('listens');
  if (known !== null && knowledge.agrees(target, port, known.words)) found.push('agrees');
  if (knowledge.days(source, target, port) >= DAYS) found.push('days');
  return found;
};

/** Targets of each source on each port, among the connections. */
function fanOut(connections: readonly PortConnection[]): (source: string, port: number) => number {
  const targets = new Map<string, Set<string>>();
  for (const { source, target, port } of connections) {
    const key = `${source} ${port}`;
    const known = targets.get(key) ?? new Set();
    targets.set(key, known.add(target));
  }
  return (source, port) => targets.get(`${source} ${port}`)?.size ?? 0;
}

/** Infers one relationship per source and target of `about`; `all` shows fan-outs and connections in reverse. */
export function infer(
  about: readonly PortConnection[],
  all: readonly PortConnection[],
  knowledge: Knowledge,
): Inference {
  const among = fanOut(all);
  const lines = new Set(all.map((one) => `${pairOf(one)} ${one.port}`));
  const inferred = [...Map.groupBy(about, pairOf).values()].map((connections): Inferred => {
    const best = telling(connections);
    const { source, target, port, protocol } = best;
    const judged = judge(port);
    const frequency = connections.reduce((sum, one) => sum + one.frequency, 0);
    const signs = signsOf(best, judged, knowledge);
    const isWide = Math.max(among(source, port), knowledge.targets(source, port)) > FAN_OUT;
    const isCluster = lines.has(`${target} ${source} ${port}`);
    const isReplication = NEEDED_PORTS.has(port) && knowledge.listens(source, port) && knowledge.listens(target, port);
    const isMutual = isCluster || isReplication;
    const most = isWide ? FAN_OUT_CONFIDENCE : MAX_CONFIDENCE;
    return {
      source,
      target,
      port,
      protocol,
      frequency,
      type: judged.isNeeded && !isWide && !isMutual ? 'depends_on' : 'communicates_with',
      confidence: rounded(Math.min(most, confidenceOf(judged.prior, frequency, signs))),
      service: judged.known?.name ?? null,
      signs: [
        ...signs,
        ...(isWide ? ['fan-out' as const] : []),
        ...(isCluster ? ['cluster' as const] : []),
        ...(isReplication && !isCluster ? ['replication' as const] : []),
      ],
    };
  });
  const listed = inferred.filter(({ confidence }) => confidence >= LISTED_FROM);
  listed.sort((a, b) => b.confidence - a.confidence || (pairOf(a) < pairOf(b) ? -1 : 1));
  return { listed, tooUncertain: inferred.length - listed.length };
}
