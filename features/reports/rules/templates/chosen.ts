import { SEVERITIES } from '#domain/event/event.ts';
import { Fault, type Problem } from '#domain/fault.ts';
import { isZone } from '#domain/texts/time-zone.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import { type Range, readRange, type SaidRange } from '#features/ai/rules/time/range.ts';
import { isTemplate, type ParameterName, TEMPLATE_IDS, TEMPLATES, type TemplateId } from './catalogue.ts';

/** Parameters of a report, parsed and complete. */
export interface Chosen {
  readonly range: Range;
  /** IANA name. */
  readonly zone: string;
  /** Null: the template does not support it. */
  readonly grouping: string | null;
  /** Names as entered; absent: all. */
  readonly ciTypes?: readonly string[];
  readonly services?: readonly string[];
  readonly sources?: readonly string[];
  readonly severities?: readonly string[];
  /** Group ID; absent: the newest group of the range. */
  readonly group?: string;
}

type TemplateParameters = Readonly<Record<string, unknown>>;
interface Now {
  readonly now: number;
  /** Default time zone. */
  readonly zone: string;
}

const MAX_NAMES = 50;
const MAX_CHARACTERS = 255;
const MAX_DAYS = 400;
const DAY_MS = 86_400_000;
const RANGES = 'a past time range such as last_30_days, 24h, yesterday, or { from, to } in ISO 8601';

class Refusal extends Error {}

const isName = (one: unknown): one is string =>
  typeof one === 'string' && one.trim() !== '' && one.length <= MAX_CHARACTERS;

/** Accepts one name or several. */
function namesIn(said: unknown): readonly string[] {
  const all: readonly unknown[] = Array.isArray(said) ? said : [said];
  if (all.length === 0 || all.length > MAX_NAMES || !all.every(isName))
    throw new Refusal(
      `expected a name or a list of 1 to ${MAX_NAMES} names, each of at most ${MAX_CHARACTERS} characters`,
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
  if (range.to - range.from > MAX_DAYS * DAY_MS) throw new Refusal(`expected at most ${MAX_DAYS} days`);
  return { from: range.from, to: Math.min(range.to, now) };
}

/** Returns the last 24 hours, or the range from the start of a past day until now. */
const lastDays = (days: number, now: number, zone: string): Range => {
  if (days === 1) return { from: now - DAY_MS, to: now };
  const calendar = calendarOf(zone);
  return { from: calendar.startOf('day', calendar.add(now, -days, 'day')), to: now };
};

/** Reads one parameter, and records problems. */
function reader(given: TemplateParameters, problems: Problem[]) {
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

/** Format of group IDs. */
const GROUP_ID = /^COR-[\w-]{1,60}$/;
const groupIn = (said: unknown): string => {
  if (typeof said !== 'string' || !GROUP_ID.test(said.trim())) throw new Refusal('expected a group ID, COR-…');
  return said.trim();
};

const zoneIn = (said: unknown): string => {
  if (typeof said !== 'string' || said.length > 64 || !isZone(said))
    throw new Refusal('expected an IANA time zone, for example Europe/Berlin');
  return said;
};

/** Returns a template by ID. Throws Fault `invalid`, which lists the existing ones. */
export function templateNamed(id: string): TemplateId {
  if (isTemplate(id)) return id;
  const reason = `unknown template; expected one of ${TEMPLATE_IDS.join(', ')}`;
  throw new Fault('invalid', `template_id: ${reason}`, [{ field: 'template_id', reason }]);
}

/** Reads the parameters of a report. Throws Fault `invalid` for unknown ones, with the list of known ones. */
export function choose(template: TemplateId, given: TemplateParameters, { now, zone: own }: Now): Chosen {
  const { parameters, groupings, days } = TEMPLATES[template];
  const problems: Problem[] = Object.keys(given)
    .filter((name) => !parameters.some((known) => known === name))
    .map((name) => ({
      field: `parameters.${name}`,
      reason: `unknown parameter for ${template}; expected one of ${parameters.join(', ')}`,
    }));
  const read = reader(given, problems);
  const zone = read('time_zone', zoneIn) ?? (parameters.includes('time_zone') ? own : 'UTC');
  const range = read('date_range', (said) => rangeIn(said, now, zone)) ?? lastDays(days, now, zone);
  const grouping = read('grouping', (said) => wordOf(said, groupings)) ?? groupings[0] ?? null;
  const [ciTypes, services, sources] = [read('ci_type', namesIn), read('service', namesIn), read('source', namesIn)];
  const group = read('group', groupIn);
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
    ...(group !== undefined && { group }),
  };
}
