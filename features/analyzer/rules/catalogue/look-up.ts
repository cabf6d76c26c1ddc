import { CATALOGUE, type Software, softwareKey } from './software.ts';

function indexOf<K>(keysOf: (software: Software) => readonly K[]): ReadonlyMap<K, readonly Software[]> {
  const index = new Map<K, Software[]>();
  for (const software of CATALOGUE)
    for (const key of new Set(keysOf(software))) {
      const known = index.get(key);
      if (known === undefined) index.set(key, [software]);
      else known.push(software);
    }
  return index;
}

const BY_ID: ReadonlyMap<string, Software> = new Map(CATALOGUE.map((software) => [software.id, software]));
const BY_NAME = indexOf(({ names }) => names);
const BY_PROCESS = indexOf(({ processes }) => processes);
const BY_PORT = indexOf(({ ports }) => ports.map(({ port }) => port));
const NONE: readonly Software[] = [];

export const softwareById = (id: string): Software | null => BY_ID.get(id) ?? null;

/** Finds software by full name, ID or alternative name. */
export const softwareNamed = (name: string): Software | null => BY_NAME.get(softwareKey(name))?.[0] ?? null;

/** `C:\\Program Files\\…\\sqlservr.exe`, `/usr/sbin/nginx -g …` and `postgres: writer` as sqlservr, nginx and postgres. */
export function processKey(process: string): string {
  const lower = process.trim().toLowerCase().replaceAll('"', '').replaceAll('\\', '/');
  const exe = lower.indexOf('.exe');
  const command = exe < 0 ? (/^(?:[a-z]:\/)?[^\s:]*/.exec(lower)?.[0] ?? '') : lower.slice(0, exe);
  return command.slice(command.lastIndexOf('/') + 1);
}

/** A process, without its version, the instance of an Oracle process, or the packages of a Java class. */
const spellings = (key: string): string[] => [
  key,
  key.replace(/[\d.]{1,16}$/, ''),
  key.split('_').slice(0, 2).join('_'),
  key.slice(key.lastIndexOf('.') + 1),
];

/** Software that runs as the process; several share `beam.smp`. */
export function softwareOfProcess(process: string): readonly Software[] {
  for (const spelling of spellings(processKey(process))) {
    const found = BY_PROCESS.get(spelling);
    if (found !== undefined) return found;
  }
  return NONE;
}

export const softwareOnPort = (port: number): readonly Software[] => BY_PORT.get(port) ?? NONE;

/** A program as scanners saw it: its process, the port on which it listens, or both. */
export interface SeenProgram {
  readonly process: string | null;
  readonly port: number | null;
}

/** Software that the program may be. A known process outweighs the port, except for a runtime. `isByPort`: only the port matches. */
export function softwareSeen({ process, port }: SeenProgram): {
  readonly found: readonly Software[];
  readonly isByPort: boolean;
} {
  const byProcess = process === null ? NONE : softwareOfProcess(process);
  const byPort = port === null ? NONE : softwareOnPort(port);
  if (byProcess.length === 0) return { found: byPort, isByPort: true };
  const both = byProcess.filter((one) => byPort.includes(one));
  if (both.length > 0) return { found: both, isByPort: false };
  const runtimes = byProcess.filter(({ role }) => role === 'runtime');
  const hosted = byPort.filter(({ neighbours }) => runtimes.some(({ id }) => neighbours.includes(id)));
  return { found: hosted.length > 0 ? hosted : byProcess, isByPort: false };
}
