import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productFiles } from './import-layers.ts';

export const MAX_METHODS = 7;
const FOLDERS = ['domain/ports', 'domain/pipeline'];

/** The formatter writes members of an interface with two spaces before them, and its end with none. */
const INTERFACE = /^(?:export )?interface (\w+)(?:<[^\n{]*>)?(?: extends ([^{]+))? \{\n(.*?)^\}/gms;
/** A method, or a property that is a function. */
const METHOD = /^ {2}(?:readonly )?(\w+)\??(?:<.*>)?(?:\(|: (?:<.*>)?\(.*=>)/gm;
const OPTIONAL = /^ {2}(\w+)\?(?:<.*>)?\(/gm;

interface Port {
  readonly file: string;
  readonly name: string;
  readonly bases: readonly string[];
  readonly methods: readonly string[];
  /** Names that an adapter or a decorator may omit. */
  readonly optional: readonly string[];
}

const portsIn = (root: string, folder: string): Port[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) =>
      [...readFileSync(join(root, folder, file), 'utf8').matchAll(INTERFACE)].map(([, name, bases, body]) => ({
        file: `${folder}/${file}`,
        name: name!,
        bases: (bases ?? '').split(',').map((base) => base.trim().replace(/<.*/, '')),
        methods: [...body!.matchAll(METHOD)].map(([, method]) => method!),
        optional: [...body!.matchAll(OPTIONAL)].map(([, method]) => method!),
      })),
    );

export const allPorts = (root: string): Port[] => FOLDERS.flatMap((folder) => portsIn(root, folder));

const methodsOf = (port: Port, all: readonly Port[]): number =>
  port.bases.reduce((sum, base) => {
    const found = all.find(({ name }) => name === base);
    return sum + (found === undefined ? 0 : methodsOf(found, all));
  }, port.methods.length);

/**
 * Returns ports with more than `MAX_METHODS` methods. Those of `domain/ports/` count inherited ones; between steps and
 * runners a sum of narrow interfaces may have more.
 */
export const widePorts = (root: string): string[] => {
  const all = allPorts(root);
  return all
    .map((port) => ({
      port,
      methods: port.file.startsWith('domain/ports/') ? methodsOf(port, all) : port.methods.length,
    }))
    .filter(({ methods }) => methods > MAX_METHODS)
    .map(({ port: { file, name }, methods }) => `${file}: ${name} has ${methods} methods`);
};

/** Methods of ports that may be left out, so that the compiler would not miss them in an adapter or a decorator. */
export const optionalMethods = (root: string): string[] =>
  portsIn(root, 'domain/ports').flatMap(({ file, name, optional }) =>
    optional.map((method) => `${file}: ${name}.${method}`),
  );

/** An object declared as a port that begins with a spread. */
const SPREAD = /: (\w+) (?:=> \(|= )\{\s*\.\.\./g;

/** Ports that are decorated with a spread: the compiler would not miss a method that the port gets. */
export const spreadPorts = (root: string): string[] => {
  const names = new Set(
    portsIn(root, 'domain/ports').flatMap(({ name, methods }) => (methods.length > 0 ? [name] : [])),
  );
  return productFiles(root).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(SPREAD)]
      .filter(([, name]) => names.has(name!))
      .map(([, name]) => `${file}: ${name}`),
  );
};
