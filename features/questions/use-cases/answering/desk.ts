import type { Certainty } from '#domain/ai/evidence.ts';
import { assertDefined } from '#domain/assert.ts';
import { enumeration, Findings } from '#features/ai/rules/findings.ts';
import type { Intent } from '#features/questions/rules/asking/intents.ts';
import type { TalkMemory } from '#features/questions/rules/asking/memory.ts';
import { isoRange, ZoneClock } from '#features/questions/rules/asking/say-time.ts';
import {
  type AnyQuestionTool,
  type Asking,
  type QuestionTool,
  runTool,
  type ToolParams,
  type ToolRun,
  wholeOf,
} from '#features/questions/use-cases/tools/tool.ts';
import type { MessageReading } from './read-message.ts';
import type { Thing } from './things.ts';

const DAY_MS = 86_400_000;
/** Names that a sentence lists in full. */
const NAMED = 8;
/** `a, b and 5 more`. */
export const listed = (names: readonly string[]): string => enumeration([...new Set(names)], NAMED);
export const namesOf = (all: readonly { readonly name: string }[]): string => listed(all.map(({ name }) => name));
const MAX_TITLE = 120;
const cutTo = (text: string, most: number): string => `"${text.length > most ? `${text.slice(0, most - 1)}…` : text}"`;
export const quoted = (title: string): string => cutTo(title, MAX_TITLE);
/** A text of a user, the end of which matters. */
export const quotedNote = (text: string): string => cutTo(text, 4 * MAX_TITLE);
export const onPlace = (place: string | null): string => (place === null ? '' : ` on ${place}`);

/** ` on a and b`. */
export const onThings = (things: readonly { readonly name: string }[]): string =>
  things.length === 0 ? '' : ` on ${namesOf(things)}`;
/** `second`, `third`; `6th`. */
export const ordinal = (nth: number): string => ['first', 'second', 'third', 'fourth', 'fifth'][nth - 1] ?? `${nth}th`;
export const be = (many: number): 'is' | 'are' => (many === 1 ? 'is' : 'are');
/** The list for a call; undefined: no condition. */
export const some = <T>(all: readonly T[]): readonly T[] | undefined => (all.length === 0 ? undefined : all);

/** Mentions words that the answer leaves out. */
export const ignored = (desk: Desk, left: readonly string[]): void => {
  desk.left.push(...left);
  const said = left.filter((words) => !/^\d{4}-\d\d-\d\d/.test(words));
  if (said.length > 0) desk.lead.push(`Ignored: ${said.map(quoted).join(', ')}.`);
};

/** Rows of a call and its run. */
export class LookUp<R> {
  readonly rows: readonly R[];
  readonly total: number;
  readonly run: ToolRun;

  constructor(run: ToolRun) {
    this.rows = run.rows as readonly R[];
    this.total = run.total;
    this.run = run;
  }

  get isCut(): boolean {
    return this.total > this.rows.length;
  }
}

/** Parameters whose lists are only read. */
type Fixed<P> = {
  readonly [K in keyof P]: P[K] extends infer V ? (V extends readonly (infer T)[] ? readonly T[] : V) : never;
};

/** Evidence of a sentence: a row of a call, all rows of a call, or an alias; null: none. */
export type Cited = object | string | null;

/** Collects the tool calls and sentences of one answer. */
export class Desk {
  readonly asking: Asking;
  readonly reading: MessageReading;
  readonly memory: TalkMemory;
  readonly clock: ZoneClock;
  readonly findings: Findings;
  readonly runs: ToolRun[];
  readonly #runOf: WeakMap<object, ToolRun>;
  /** Aliases that may be named as root cause. */
  readonly causes: string[];
  /** Intent for later messages, where the answer is about something else than the question. */
  told: Intent | undefined;
  isAbstained = false;
  confidence = 1;
  /** Memory for later messages. */
  next: Partial<TalkMemory> = {};
  /** Sentences about the chatbot itself, which stand on nothing. */
  readonly lead: string[];
  /** Words that the answer leaves out. */
  readonly left: string[];
  /** Things by which incidents were chosen. */
  readonly applied: Set<Thing> = new Set();

  /** `before`: the desk of the first question of two in one message, which it continues. */
  constructor(asking: Asking, reading: MessageReading, memory: TalkMemory, before?: Desk) {
    this.findings = before?.findings ?? new Findings();
    this.runs = before?.runs ?? [];
    this.#runOf = before === undefined ? new WeakMap() : before.#runOf;
    this.causes = before?.causes ?? [];
    this.lead = before?.lead ?? [];
    this.left = before?.left ?? [];
    this.next = before?.next ?? {};
    this.asking = asking;
    this.reading = reading;
    this.memory = memory;
    this.clock = new ZoneClock(asking.zone, asking.receivedAt);
  }

  /** Makes a call, each once. */
  async look<P extends ToolParams, R>(tool: QuestionTool<P, R>, params: Fixed<P>): Promise<LookUp<R>> {
    const key = JSON.stringify(params);
    const known = this.runs.find((run) => run.tool.name === tool.name && JSON.stringify(run.params) === key);
    const run = known ?? (await runTool(this.asking, tool as AnyQuestionTool, params as ToolParams));
    if (known === undefined) this.runs.push(run);
    for (const row of run.rows) this.#runOf.set(row as object, run);
    return new LookUp<R>(run);
  }

  /** The first row of a call; null: none. */
  async find<P extends ToolParams, R>(tool: QuestionTool<P, R>, params: Fixed<P>): Promise<R | null> {
    return (await this.look(tool, params)).rows[0] ?? null;
  }

  /** The alias of a row, or of its further evidence. */
  ref(row: object, at = 0): string | null {
    const run = assertDefined(this.#runOf.get(row), 'call of the row');
    const item = run.tool.items(row)[at];
    return item === undefined ? null : this.findings.add(item);
  }
  /** Null where the call failed. */
  #alias(cited: Cited): string | null {
    if (cited === null || typeof cited === 'string') return cited;
    if (!(cited instanceof LookUp)) return this.ref(cited);
    const item = wholeOf(cited.run);
    return item && this.findings.add(item);
  }

  /** A sentence behind its evidence; a line break in its text is a blank. */
  say(cited: Cited | readonly Cited[], certainty: Certainty = 'fact') {
    const refs = [cited].flat().map((one) => this.#alias(one));
    return (parts: TemplateStringsArray, ...values: readonly (string | number | null | undefined)[]): void => {
      const text = parts.map((part, at) => `${part.replaceAll(/\n */g, ' ')}${values[at] ?? ''}`);
      this.findings.say(text.join(''), refs, certainty);
    };
  }
  /** The range of these days until now, or until another time, in ms. */
  lastDays(days: number, before = this.asking.receivedAt): string {
    return isoRange({ from: before - days * DAY_MS, to: before + 60_000 });
  }
  /** The time of the question, else the last days: for a tool, and in words, which do not claim more than there is data for. */
  within(days: number, time = this.reading.time): { readonly time_range: string; readonly when: string } {
    if (time !== null) return { time_range: time.text, when: this.clock.range(time.range) };
    const { begin } = this.reading;
    const isShort = begin !== null && begin > this.asking.receivedAt - days * DAY_MS;
    const when = isShort ? `since data begin (${this.clock.time(begin)})` : `in the last ${days} days`;
    return { time_range: this.lastDays(days), when };
  }
  remember(memory: Partial<TalkMemory>): void {
    const { subject } = memory;
    const before = (this.next.subjects ?? this.memory.subjects ?? []).filter((one) => one !== subject);
    const subjects = subject === undefined ? {} : { subjects: [...before, subject].slice(-2) };
    this.next = { ...this.next, ...(memory.list !== undefined && { incidents: [] }), ...subjects, ...memory };
  }
  /** The same with the subject. */
  rememberThing({ name, cis, kind }: Pick<Thing, 'name' | 'cis' | 'kind'>, memory: Partial<TalkMemory> = {}): void {
    const isList = kind === 'type' && cis.length > 1;
    this.remember({ subject: name, current: isList ? null : (cis[0]?.id ?? null), ...memory });
  }
}
