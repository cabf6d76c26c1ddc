import { parse } from 'yaml';
import { DRAIN_MS } from '#api/http/server.ts';
import { Variables } from '#infra/config-variables.ts';
import { documentText } from './tables.ts';

export const DEPLOY = 'infra/deploy';
/** Files of distributed mode with its engines, and of embedded mode. */
export const COMPOSE = ['compose.yaml', 'compose.embedded.yaml'];
export const deployedText = (path: string): string => documentText(`${DEPLOY}/${path}`);
export const yaml = <T>(path: string): T => parse(deployedText(path), { merge: true }) as T;

/**
 * Maximum duration of a stop after FAULTLINE_STOP_DELAY, seconds: requests in flight, and as much for accepted records.
 */
export const STOP_SECONDS = (2 * DRAIN_MS) / 1000;

interface Package {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
export const PACKAGE = JSON.parse(documentText('package.json')) as Package;
/** Command of the server, as in `npm start`. */
export const COMMAND = PACKAGE.scripts.start!.replace(/^exec /, '').split(' ');

interface Service {
  readonly image: string;
  readonly build?: { readonly dockerfile: string };
  readonly extends?: { readonly file: string; readonly service: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly secrets?: readonly string[];
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
}
interface Composed {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}
/** A compose file; services that extend others are whole. */
export function composed(path: string): Composed {
  const file = yaml<Composed>(path);
  const whole = (service: Service): Service =>
    service.extends === undefined
      ? service
      : { ...composed(service.extends.file).services[service.extends.service], ...service };
  return {
    ...file,
    services: Object.fromEntries(Object.entries(file.services).map(([name, service]) => [name, whole(service)])),
  };
}
/** Text in which Compose has put in variables that are all empty, or all `set`. */
export const interpolated = (text: string, set?: string): string =>
  text
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, (_, otherwise: string) => set ?? otherwise)
    .replaceAll(/\$\{\w+:\+([^}]*)\}/g, (_, then: string) => (set === undefined ? '' : then));

export type Settings = Readonly<Record<string, string>>;

const settable = (name: string): string => (name in Variables.shape ? name : name.replace(/_FILE$/, ''));

/** Returns names unknown to the configuration, except those of Node itself. */
export const unknownSettings = (names: readonly string[]): string[] =>
  names.filter((name) => !['NODE_ENV', 'HOME'].includes(name) && !(settable(name) in Variables.shape));

/** The configuration's values; empty ones count as not set, and those from files are not read. */
export const valuesOf = (settings: Settings) =>
  Variables.parse(
    Object.fromEntries(Object.entries(settings).filter(([name, value]) => name in Variables.shape && value !== '')),
  );

/** `NAME=value` of each line that has nothing else. */
export const assignments = (text: string): [string, string][] =>
  [...text.matchAll(/^(?:# )?([A-Z][A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]);

interface Instruction {
  readonly word: string;
  readonly rest: string;
}
export interface Stage {
  readonly from: string;
  readonly steps: readonly Instruction[];
}

/** The stages of the Dockerfile. */
export function stages(): Stage[] {
  const lines = deployedText('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  const found: { from: string; steps: Instruction[] }[] = [];
  for (const line of lines) {
    const [, word, rest] = /^([A-Z]+) (.*)$/.exec(line) as unknown as [string, string, string];
    if (word === 'FROM') found.push({ from: rest, steps: [] });
    else found.at(-1)!.steps.push({ word, rest });
  }
  return found;
}

/** Returns the argument of one instruction of a stage; throws unless the stage has it once. */
export const said = (stage: Stage, word: string): string => {
  const [one, ...others] = stage.steps.filter((step) => step.word === word);
  if (one === undefined || others.length > 0) throw new Error(`${word} is not there once`);
  return one.rest;
};

/** Returns the settings of the image. */
export const imageSettings = (): Settings =>
  Object.fromEntries(
    said(stages().at(-1)!, 'ENV')
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  );
