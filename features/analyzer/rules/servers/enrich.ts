import { firstItem } from '#domain/assert.ts';
import { namesIn } from '#features/analyzer/rules/catalogue/found-names.ts';
import { softwareById, softwareNamed, softwareOfProcess } from '#features/analyzer/rules/catalogue/look-up.ts';
import type { Software, SoftwarePort } from '#features/analyzer/rules/catalogue/software.ts';
import { hostPatternsIn } from './host-patterns.ts';

type EnrichSource = 'manual' | 'catalogue' | 'model';

/** Confidence that software belongs to the service: chosen by the caller from the catalog, named by the caller … */
const CONFIDENCE = { chosen: 1, named: 0.9, described: 0.7, model: 0.6, neighbour: 0.5 } as const;

interface NamedSoftware {
  readonly name: string;
  readonly vendor: string | null;
  readonly version: string | null;
}
interface ChosenSoftware extends Omit<NamedSoftware, 'name'> {
  readonly catalogId: string | null;
  readonly name: string | null;
}

export interface Described {
  readonly description: string | null;
  readonly chosen: readonly ChosenSoftware[];
  readonly processes: readonly string[];
  readonly software: readonly NamedSoftware[];
}

export interface EnrichedSoftware {
  /** Software of the catalog; null if the catalog has none. */
  readonly software: Software | null;
  readonly name: string;
  readonly vendor: string | null;
  readonly version: string | null;
  readonly source: EnrichSource;
  readonly confidence: number;
  /** Reason for its presence, for a sentence. */
  readonly reason: string;
}
interface EnrichedProcess {
  readonly name: string;
  readonly source: EnrichSource;
  /** Name of the software that runs as this process. */
  readonly software: string | null;
  readonly confidence: number;
}
interface EnrichedPort extends SoftwarePort {
  readonly software: string;
  readonly confidence: number;
}

/** Words that the catalogue does not know. */
export interface OpenWord {
  readonly text: string;
  readonly from: 'software' | 'process' | 'description';
}

export interface EnrichedServer {
  /** The surest first. */
  readonly software: readonly EnrichedSoftware[];
  readonly processes: readonly EnrichedProcess[];
  readonly ports: readonly EnrichedPort[];
  readonly hostnames: readonly string[];
  readonly open: readonly OpenWord[];
}

const MAX_OPEN = 20;
/** Shorter words of a description name no software. */
const SHORTEST = 3;
const ORDINARY: ReadonlySet<string> = new Set(
  (
    'the and for with from that this our your their its are was were has have had can may will which who whom when where what how ' +
    'all any some each every other another one two three four five six seven eight nine ten many few several both not but than then ' +
    'also only just into onto over under between within without about after before behind through via per using used use uses runs ' +
    'run running ran needs need has been being makes make made gets get set sends send sent reads read writes write stores store keeps ' +
    'keep holds hold serves serve served hosts host hosted talks talk speaks speak calls call called connects connect lives live sits ' +
    'sit handles handle takes take gives give shows show allows allow lets let service services system systems application ' +
    'applications app apps server servers machine machines node nodes cluster clusters data customers customer users user people ' +
    'team teams company business internal external main old new big small large two-node online shop store website site page pages ' +
    'web portal production test development staging behind front end back'
  ).split(' '),
);

const fromCatalogue = (
  software: Software,
  more: Pick<EnrichedSoftware, 'source' | 'confidence' | 'reason'> & Partial<NamedSoftware>,
): EnrichedSoftware => ({
  software,
  name: software.name,
  vendor: more.vendor ?? software.vendor,
  version: more.version ?? null,
  source: more.source,
  confidence: more.confidence,
  reason: more.reason,
});

const ofCaller = ({ name, vendor, version }: NamedSoftware): EnrichedSoftware => ({
  software: null,
  name,
  vendor,
  version,
  source: 'manual',
  confidence: CONFIDENCE.chosen,
  reason: 'named by you; not in the catalog',
});

function chosenSoftware({ catalogId, name, vendor, version }: ChosenSoftware): EnrichedSoftware[] {
  const byId = catalogId === null ? null : softwareById(catalogId);
  const software = byId ?? (name === null ? null : softwareNamed(name));
  if (software === null) return name === null ? [] : [ofCaller({ name, vendor, version })];
  const confidence = byId === null ? CONFIDENCE.named : CONFIDENCE.chosen;
  return [fromCatalogue(software, { source: 'manual', confidence, reason: 'selected by you', vendor, version })];
}

function namedSoftware(given: NamedSoftware): EnrichedSoftware {
  const software = softwareNamed(given.name);
  if (software === null) return ofCaller(given);
  const { vendor, version } = given;
  const reason = `you named it (${given.name})`;
  return fromCatalogue(software, { source: 'manual', confidence: CONFIDENCE.named, reason, vendor, version });
}

/** Several share some processes: each of them is possible. */
function softwareOfGiven(process: string): EnrichedSoftware[] {
  const found = softwareOfProcess(process);
  const confidence = found.length === 1 ? CONFIDENCE.named : CONFIDENCE.neighbour;
  const reason = `runs as ${process}, named by you`;
  return found.map((software) => fromCatalogue(software, { source: 'catalogue', confidence, reason }));
}

const describedSoftware = (description: string): EnrichedSoftware[] =>
  namesIn(description).names.map(({ software, text }) =>
    fromCatalogue(software, {
      source: 'catalogue',
      confidence: CONFIDENCE.described,
      reason: `the description mentions “${text}”`,
    }),
  );

const neighboursOf = ({ software, name }: EnrichedSoftware): EnrichedSoftware[] =>
  (software?.neighbours ?? []).flatMap((id) => {
    const neighbour = softwareById(id);
    if (neighbour === null) return [];
    const reason = `${name} is usually used with it`;
    return [fromCatalogue(neighbour, { source: 'catalogue', confidence: CONFIDENCE.neighbour, reason })];
  });

const keyOf = ({ software, name }: EnrichedSoftware): string => software?.id ?? `:${name.toLowerCase()}`;

/** Merges duplicates by highest confidence; a version given by the caller remains. */
function united(all: readonly EnrichedSoftware[]): EnrichedSoftware[] {
  const same = [...Map.groupBy(all, keyOf).values()].map((those) => {
    const best = those.reduce((one, other) => (other.confidence > one.confidence ? other : one));
    return { ...best, version: those.find(({ version }) => version !== null)?.version ?? null };
  });
  return same.sort((a, b) => b.confidence - a.confidence);
}

function processesOf(given: readonly string[], software: readonly EnrichedSoftware[]): EnrichedProcess[] {
  const own = given.map((name): EnrichedProcess => {
    const found = softwareOfProcess(name);
    const only = found.length === 1 ? firstItem(found).name : null;
    return { name, source: 'manual', software: only, confidence: CONFIDENCE.chosen };
  });
  const known = software.flatMap(({ software: row, source, confidence, name }) =>
    (row?.processes ?? []).map((process): EnrichedProcess => {
      return { name: process, source: source === 'model' ? 'model' : 'catalogue', software: name, confidence };
    }),
  );
  const seen = new Set<string>();
  return [...own, ...known].filter(({ name }) => !seen.has(name.toLowerCase()) && seen.add(name.toLowerCase()));
}

function portsOf(software: readonly EnrichedSoftware[]): EnrichedPort[] {
  const all = software.flatMap(({ software: row, name, confidence }) =>
    (row?.ports ?? []).map((port) => ({ ...port, software: name, confidence })),
  );
  const seen = new Set<string>();
  return all.filter(({ port, protocol }) => !seen.has(`${port}/${protocol}`) && seen.add(`${port}/${protocol}`));
}

function openWords({ description, chosen, processes, software }: Described): OpenWord[] {
  const names = [
    ...chosen.flatMap(({ name, catalogId }) => (catalogId !== null && softwareById(catalogId) ? [] : (name ?? []))),
    ...software.map(({ name }) => name),
  ];
  const unknown = names.filter((name) => softwareNamed(name) === null);
  const strange = processes.filter((process) => softwareOfProcess(process).length === 0);
  const words = description === null ? [] : namesIn(description).others.map(({ text }) => text);
  const telling = words.filter(
    (word) => word.length >= SHORTEST && !ORDINARY.has(word.toLowerCase()) && !/^[\d.]+$/.test(word),
  );
  const open = (texts: readonly string[], from: OpenWord['from']) =>
    [...new Set(texts)].map((text) => ({ text, from }));
  return [...open(unknown, 'software'), ...open(strange, 'process'), ...open(telling, 'description')].slice(
    0,
    MAX_OPEN,
  );
}

/** The words of a caller in the catalogue. `mapped`: software that a model has found for open words. */
export function enrich(
  described: Described,
  mapped: readonly { readonly word: string; readonly software: Software }[],
): EnrichedServer {
  const { description, chosen, processes, software } = described;
  const found = [
    ...chosen.flatMap(chosenSoftware),
    ...software.map(namedSoftware),
    ...processes.flatMap(softwareOfGiven),
    ...(description === null ? [] : describedSoftware(description)),
    ...mapped.map(({ word, software: row }) =>
      fromCatalogue(row, { source: 'model', confidence: CONFIDENCE.model, reason: `a model found it in “${word}”` }),
    ),
  ];
  const all = united([...found, ...united(found).flatMap(neighboursOf)]);
  return {
    software: all,
    processes: processesOf(processes, all),
    ports: portsOf(all),
    hostnames: description === null ? [] : hostPatternsIn(description),
    open: openWords(described),
  };
}
