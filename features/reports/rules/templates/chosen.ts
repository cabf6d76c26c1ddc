import { SEVERITIES } from '#domain/event/event.ts';
import { Fault, type Problem } from '#domain/fault.ts';
import { type Range, readRange, type SaidRange } from '#features/questions/rules/range.ts';
import { calendarOf, isZone } from '#features/questions/rules/time/calendar.ts';
import { isTemplate, type ParameterName, TEMPLATE_IDS, TEMPLATES, type TemplateId } from './catalogue.ts';

/** Parameters of a report, parsed and complete. */
export interface Chosen {
  readonly range: Range;
  /** IANA name. */
  readonly zone: string;
  /** Null: the template has none. */
  readonly grouping: string | null;
  /** Names as they were said; absent: all. */
  readonly ciTypes?: readonly string[];
  readonly services?: readonly string[];
  readonly sources?: readonly string[];
  readonly severities?: readonly string[];
}

type Given = Readonly<Record<string, unknown>>;
interface Now {
  readonly now: number;
  /** Where none is said. */
  readonly zone: string;
}

const MOST_NAMES = 50;
const MOST_CHARACTERS = 255;
const MOST_DAYS = 400;
const DAY_MS = 86_400_000;
const RANGES = 'a range such as last_30_days, 24h, yesterday, or { from, to } with times in ISO 8601, that has begun';

class Refusal extends Error {}

const isName = (one: unknown): one is string =>
  typeof one === 'string' && one.trim() !== '' && one.length <= MOST_CHARACTERS;

/** One name or several. */
function namesIn(said: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(said) ? said : [said];
  if (all.length === 0 || all.length > MOST_NAMES || !all.every(isName))
    throw new Refusal(
      `expected a name or a list of 1 to ${MOST_NAMES} names, each of at most ${MOST_CHARACTERS} characters`,
    );
  return [...new Set(all.map((name) => name.trim()))];
}

function wordOf(said: unknown, words: readonly string[]): string {
  const word = words.find((one) => one === said);
  if (word === undefined) throw new Refusal(`expected one of ${words.join(', ')}`);
  return word;
}

const isPoint = (one: unknown): boolean => typeof one === 'number' || (typeof one === 'string' && one.length <= 64);
const POINTS: readonly string[] = ['from', 'to'];

function isSaidRange(said: unknown): said is string | SaidRange {
  if (typeof said === 'string') return true;
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return false;
  const keys = Object.keys(said);
  return keys.includes('from') && keys.every((key) => POINTS.includes(key)) && Object.values(said).every(isPoint);
}

function rangeIn(said: unknown, now: number, zone: string): Range {
  const range = isSaidRange(said) ? readRange(said, now, zone) : null;
  if (range === null || range.from > now) throw new Refusal(`expected ${RANGES}`);
  if (range.to - range.from > MOST_DAYS * DAY_MS) throw new Refusal(`expected at most ${MOST_DAYS} days`);
  return { from: range.from, to: Math.min(range.to, now) };
}

/** The first hour of the day so many days ago, to now. */
const lastDays = (days: number, now: number, zone: string): Range => {
  const calendar = calendarOf(zone);
  return { from: calendar.startOf('day', calendar.add(now, -days, 'day')), to: now };
};

/** Reads one parameter and notes what is wrong with it. */
function reader(given: Given, problems: Problem[]) {
  return <T>(name: ParameterName, read: (said: unknown) => T): T | undefined => {
    if (given[name] === undefined || given[name] === null) return undefined;
    try {
      return read(given[name]);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      problems.push({ field: `parameters.${name}`, reason: error.message });
      return undefined;
    }
  };
}

const zoneIn = (said: unknown): string => {
  if (typeof said !== 'string' || said.length > 64 || !isZone(said))
    throw new Refusal('expected an IANA time zone, for example Europe/Berlin');
  return said;
};

/** A template by its id. Throws Fault `invalid`, which names those that there are. */
export function templateNamed(id: string): TemplateId {
  if (isTemplate(id)) return id;
  const reason = `there is no such template; the templates are ${TEMPLATE_IDS.join(', ')}`;
  throw new Fault('invalid', `template_id: ${reason}`, [{ field: 'template_id', reason }]);
}

/** The parameters of a report. Throws Fault `invalid` for those that the template does not have, naming the ones that it has. */
export function choose(template: TemplateId, given: Given, { now, zone: own }: Now): Chosen {
  const { parameters, groupings, days } = TEMPLATES[template];
  const problems: Problem[] = Object.keys(given)
    .filter((name) => !parameters.some((known) => known === name))
    .map((name) => ({
      field: `parameters.${name}`,
      reason: `${template} has no such parameter; it has ${parameters.join(', ')}`,
    }));
  const read = reader(given, problems);
  const zone = read('time_zone', zoneIn) ?? (parameters.includes('time_zone') ? own : 'UTC');
  const range = read('date_range', (said) => rangeIn(said, now, zone)) ?? lastDays(days, now, zone);
  const grouping = read('grouping', (said) => wordOf(said, groupings)) ?? groupings[0] ?? null;
  const [ciTypes, services, sources] = [read('ci_type', namesIn), read('service', namesIn), read('source', namesIn)];
  const severities = read('severity', (said) => namesIn(said).map((one) => wordOf(one, SEVERITIES)));
  if (problems.length > 0) {
    const said = problems.map(({ field, reason }) => `${field}: ${reason}`);
    throw new Fault('invalid', said.join('; '), problems);
  }
  return {
    range,
    zone,
    grouping,
    ...(ciTypes && { ciTypes }),
    ...(services && { services }),
    ...(sources && { sources }),
    ...(severities && { severities }),
  };
}
