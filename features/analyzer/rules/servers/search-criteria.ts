import { rounded } from '#domain/numbers.ts';
import { processKey, softwareNamed, softwareOfProcess } from '#features/analyzer/rules/catalogue/look-up.ts';
import { type Software, softwareKey } from '#features/analyzer/rules/catalogue/software.ts';
import { type Glob, globOf } from './glob.ts';

/** The search of a caller. */
export interface SearchCriteria {
  /** Processes in the form of `processKey`. */
  readonly processes: ReadonlySet<string>;
  readonly software: readonly SoftwareCriterion[];
  readonly ports: ReadonlySet<number>;
  readonly hosts: readonly Glob[];
}

interface SoftwareCriterion {
  readonly name: string;
  /** Form used for comparison. */
  readonly key: string;
  /** Null when the catalogue does not have it. */
  readonly known: Software | null;
}

/** A program that was seen on a machine; `port`: where it listens. */
interface SeenProcess {
  readonly name: string;
  readonly port: number | null;
}

/** Knowledge about a machine. */
export interface SeenServer {
  /** Its names, in any case. */
  readonly names: readonly string[];
  readonly software: readonly string[];
  readonly processes: readonly SeenProcess[];
  /** Open ports, of any process. */
  readonly ports: readonly number[];
}

/** The weight of each kind of sign: the chance that a machine belongs, if there is no other. */
const WEIGHTS = {
  listening: 0.9,
  process: 0.8,
  software: 0.7,
  listener: 0.6,
  host: 0.5,
  connected: 0.3,
  /** A runtime, a web server or a port of many services: beside more special signs it needs a second one. */
  general: 0.4,
  generalPort: 0.3,
} as const;
/** Minimum score of a found machine. */
export const FOUND_FROM = 0.5;
/** Maximum number of connections to found machines that count. */
const MAX_CONNECTED = 3;

/** Something that speaks for a machine. */
export interface MatchedSign {
  readonly weight: number;
  /** `runs postgres on port 5432`. */
  readonly text: string;
}

export const searchCriteriaOf = (asked: {
  readonly processes: readonly string[];
  readonly software: readonly string[];
  readonly ports: readonly number[];
  readonly hosts: readonly string[];
}): SearchCriteria => ({
  processes: new Set(asked.processes.map(processKey).filter((name) => name !== '')),
  software: [...new Set(asked.software)].map((name) => ({ name, key: softwareKey(name), known: softwareNamed(name) })),
  ports: new Set(asked.ports),
  hosts: [...new Set(asked.hosts.map((pattern) => pattern.trim().toLowerCase()))].map(globOf),
});

/** `PostgreSQL 14.2 Server` is PostgreSQL. */
const isSame = (installed: string, { key, known }: SoftwareCriterion): boolean => {
  const found = softwareKey(installed);
  if (found === key || found.startsWith(`${key} `)) return true;
  if (known === null) return false;
  return softwareNamed(installed)?.id === known.id || known.names.some((name) => found.startsWith(`${name} `));
};

/** True if the port identifies more than a running process: it is requested, or usual for its software. */
const tellsMore = ({ name, port }: SeenProcess, { ports }: SearchCriteria): boolean =>
  port !== null &&
  (ports.has(port) || softwareOfProcess(name).some((software) => software.ports.some((one) => one.port === port)));

/** Programs that run for services of all kinds. */
const GENERAL: ReadonlySet<Software['role']> = new Set(['runtime', 'agent', 'web-server']);
const isGeneral = (process: string): boolean => softwareOfProcess(process).some(({ role }) => GENERAL.has(role));
/** Ports on which services of all kinds are served. */
const GENERAL_PORTS: ReadonlySet<number> = new Set([
  80, 443, 3000, 5000, 8000, 8008, 8080, 8081, 8443, 8888, 9000, 9090,
]);

const isSpecial = ({ processes, software, hosts }: SearchCriteria): boolean =>
  hosts.length > 0 ||
  [...processes].some((name) => !isGeneral(name)) ||
  software.some(({ known }) => known === null || !GENERAL.has(known.role));

function processSign(sought: SearchCriteria, { processes }: SeenServer): MatchedSign | null {
  const all = processes.filter(({ name }) => sought.processes.has(processKey(name)));
  const special = isSpecial(sought) ? all.filter(({ name }) => !isGeneral(name)) : all;
  const [general] = all;
  if (special.length === 0 && general !== undefined)
    return {
      weight: WEIGHTS.general,
      text: `runs ${general.name}${general.port === null ? '' : ` on port ${general.port}`}`,
    };
  const wanted = special;
  const listening = wanted.find((one) => tellsMore(one, sought));
  if (listening !== undefined)
    return { weight: WEIGHTS.listening, text: `runs ${listening.name} on port ${listening.port}` };
  const [first] = wanted;
  return first === undefined ? null : { weight: WEIGHTS.process, text: `runs ${first.name}` };
}

function softwareSign(sought: SearchCriteria, server: SeenServer): MatchedSign | null {
  // A program searched by its own name counts as a process already.
  const others = server.processes.filter(({ name }) => !sought.processes.has(processKey(name)));
  for (const one of sought.software) {
    const installed = server.software.find((name) => isSame(name, one));
    if (installed !== undefined) return { weight: WEIGHTS.software, text: `has ${installed} installed` };
    const { known } = one;
    if (known !== null && GENERAL.has(known.role) && isSpecial(sought)) continue;
    const running =
      known !== null && others.find(({ name }) => softwareOfProcess(name).some(({ id }) => id === known.id));
    if (running) return { weight: WEIGHTS.software, text: `runs ${running.name}, which is ${known.name}` };
  }
  return null;
}

/** `except`: a process that counts already, together with its port. */
function listenerSign(sought: SearchCriteria, server: SeenServer, except: MatchedSign | null): MatchedSign | null {
  const isNew = (port: number): boolean => !except?.text.endsWith(` on port ${port}`);
  const open = server.ports.filter((port) => sought.ports.has(port) && isNew(port));
  const isWeak = (port: number): boolean => GENERAL_PORTS.has(port) && isSpecial(sought);
  const port = open.find((one) => !isWeak(one)) ?? open[0];
  if (port === undefined) return null;
  return { weight: isWeak(port) ? WEIGHTS.generalPort : WEIGHTS.listener, text: `listens on port ${port}` };
}

function hostSign({ hosts }: SearchCriteria, { names }: SeenServer): MatchedSign | null {
  for (const glob of hosts) {
    const name = names.find((one) => glob.matches(one));
    if (name !== undefined) return { weight: WEIGHTS.host, text: `its name matches ${glob.text}` };
  }
  return null;
}

/** Signs for a machine by itself: one of each kind, the heaviest first. */
export function matchedSigns(sought: SearchCriteria, server: SeenServer): MatchedSign[] {
  const process = processSign(sought, server);
  const signs = [
    process,
    softwareSign(sought, server),
    listenerSign(sought, server, process),
    hostSign(sought, server),
  ];
  return signs.filter((sign) => sign !== null);
}

/** Sentences about its connections to found machines, by their names; one each, and no more than three. */
export const connectedSigns = (names: readonly string[]): MatchedSign[] =>
  names.slice(0, MAX_CONNECTED).map((name) => ({ weight: WEIGHTS.connected, text: `is connected to ${name}` }));

/** The chance that not all signs are wrong, 0 to 1, three digits. */
export const scoreOf = (signs: readonly MatchedSign[]): number =>
  rounded(1 - signs.reduce((rest, { weight }) => rest * (1 - weight), 1));
