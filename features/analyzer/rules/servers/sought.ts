import { rounded } from '#domain/numbers.ts';
import { processKey, softwareNamed, softwareOfProcess } from '#features/analyzer/rules/catalogue/look-up.ts';
import { type Software, softwareKey } from '#features/analyzer/rules/catalogue/software.ts';
import { type Glob, globOf } from './glob.ts';

/** The search of a caller. */
export interface Sought {
  /** As `processKey` makes them. */
  readonly processes: ReadonlySet<string>;
  readonly software: readonly SoughtSoftware[];
  readonly ports: ReadonlySet<number>;
  readonly hosts: readonly Glob[];
}

interface SoughtSoftware {
  readonly name: string;
  /** As it is compared. */
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
  /** Ports that are open, whoever listens there. */
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
} as const;
/** From this score on a machine is found. */
export const FOUND_FROM = 0.5;
/** Connections to so many found machines count. */
const MOST_CONNECTED = 3;

/** Something that speaks for a machine. */
export interface SoughtSign {
  readonly weight: number;
  /** `runs postgres on port 5432`. */
  readonly text: string;
}

export const soughtOf = (asked: {
  readonly processes: readonly string[];
  readonly software: readonly string[];
  readonly ports: readonly number[];
  readonly hosts: readonly string[];
}): Sought => ({
  processes: new Set(asked.processes.map(processKey).filter((name) => name !== '')),
  software: [...new Set(asked.software)].map((name) => ({ name, key: softwareKey(name), known: softwareNamed(name) })),
  ports: new Set(asked.ports),
  hosts: [...new Set(asked.hosts.map((pattern) => pattern.trim().toLowerCase()))].map(globOf),
});

/** `PostgreSQL 14.2 Server` is PostgreSQL. */
const isSame = (installed: string, { key, known }: SoughtSoftware): boolean => {
  const found = softwareKey(installed);
  if (found === key || found.startsWith(`${key} `)) return true;
  if (known === null) return false;
  return softwareNamed(installed)?.id === known.id || known.names.some((name) => found.startsWith(`${name} `));
};

/** A port that says more of a process than that it runs: one that is looked for, or one that its software usually has. */
const tellsMore = ({ name, port }: SeenProcess, { ports }: Sought): boolean =>
  port !== null &&
  (ports.has(port) || softwareOfProcess(name).some((software) => software.ports.some((one) => one.port === port)));

function processSign(sought: Sought, { processes }: SeenServer): SoughtSign | null {
  const wanted = processes.filter(({ name }) => sought.processes.has(processKey(name)));
  const listening = wanted.find((one) => tellsMore(one, sought));
  if (listening !== undefined)
    return { weight: WEIGHTS.listening, text: `runs ${listening.name} on port ${listening.port}` };
  const [first] = wanted;
  return first === undefined ? null : { weight: WEIGHTS.process, text: `runs ${first.name}` };
}

function softwareSign(sought: Sought, server: SeenServer): SoughtSign | null {
  // A program searched by its own name counts as a process already.
  const others = server.processes.filter(({ name }) => !sought.processes.has(processKey(name)));
  for (const one of sought.software) {
    const installed = server.software.find((name) => isSame(name, one));
    if (installed !== undefined) return { weight: WEIGHTS.software, text: `has ${installed} installed` };
    const { known } = one;
    const running =
      known !== null && others.find(({ name }) => softwareOfProcess(name).some(({ id }) => id === known.id));
    if (running) return { weight: WEIGHTS.software, text: `runs ${running.name}, which is ${known.name}` };
  }
  return null;
}

/** `except`: a process that counts already, together with its port. */
function listenerSign({ ports }: Sought, server: SeenServer, except: SoughtSign | null): SoughtSign | null {
  const counted = except?.weight === WEIGHTS.listening;
  const port = server.ports.find((one) => ports.has(one) && !(counted && except.text.endsWith(` on port ${one}`)));
  return port === undefined ? null : { weight: WEIGHTS.listener, text: `listens on port ${port}` };
}

function hostSign({ hosts }: Sought, { names }: SeenServer): SoughtSign | null {
  for (const glob of hosts) {
    const name = names.find((one) => glob.matches(one));
    if (name !== undefined) return { weight: WEIGHTS.host, text: `its name matches ${glob.text}` };
  }
  return null;
}

/** Signs for a machine by itself: one of each kind, the heaviest first. */
export function soughtSigns(sought: Sought, server: SeenServer): SoughtSign[] {
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
export const connectedSigns = (names: readonly string[]): SoughtSign[] =>
  names.slice(0, MOST_CONNECTED).map((name) => ({ weight: WEIGHTS.connected, text: `is connected to ${name}` }));

/** The chance that not all signs are wrong, 0 to 1, three digits. */
export const scoreOf = (signs: readonly SoughtSign[]): number =>
  rounded(1 - signs.reduce((rest, { weight }) => rest * (1 - weight), 1));
