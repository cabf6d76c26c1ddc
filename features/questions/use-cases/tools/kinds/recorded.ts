import { aiSettings } from '#application/records/tenant-settings.ts';
import { SILENCE_STATES } from '#domain/event/silences/silence-rule.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import { clockTime, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { meaningIn, type Ranked, rankRecords } from '#features/questions/rules/asking/rank-records.ts';
import { isoRange } from '#features/questions/rules/asking/say-time.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import {
  type AnyQuestionTool,
  type Asking,
  contributed,
  item,
  listOf,
  PLANNED_CHANGES,
  type QuestionTool,
  runTool,
  type ToolParams,
} from '../tool.ts';
import { cisOf } from './cis.ts';
import { changes, events, type ToolChangeRow, type ToolEventRow } from './events.ts';
import { groupsNamed, type ToolIncidentRow, wordsOf } from './incidents.ts';
import { type SilenceRow, silences } from './silences.ts';
import { type ActionRow, whoActed } from './who.ts';

/** Kinds of records, and the words of users for each. */
const HINTS = {
  note: 'note write wrote story know waiting',
  verdict: 'verdict judge root cause confirm wrong right grouped grouping prevent done',
  split: 'split apart group',
  silence: 'silence mute suppress ring phone alert notify page hear quiet',
  maintenance: 'maintenance suppress vanish gone hidden missing wallboard',
  plan: 'plan planned schedule change when risk risky maintenance window work',
  runbook: 'runbook playbook procedure guide advice instruction',
  edit: 'edit attribute change changed before value',
  change: 'deployment release version rollout change',
  event: 'event alert problem',
} as const;
type RecordKind = keyof typeof HINTS;

/** Something that a user, a monitor or a tool has written. */
interface WrittenRecord {
  readonly kind: RecordKind;
  /** Words of its author. */
  readonly text: string;
  readonly about: string;
  readonly hint: string;
  readonly by: string | null;
  /** Time of the record, or begin of its subject. */
  readonly at: string | null;
  readonly to: string | null;
  /** Group or event. */
  readonly of: string | null;
  readonly cis: readonly string[];
  /** End of the event or incident, or of the root cause of an incident that is open. */
  readonly overSince: string | null;
  readonly isOver: boolean;
  /** Only of a plan: level and score. */
  readonly risk: string | null;
  readonly item: NewItem;
}
export interface RecordedRow extends WrittenRecord {
  readonly score: number;
  /** Share of the weight of the words, 0 to 1. */
  readonly covered: number;
  readonly shared: readonly string[];
  /** 1: its subject was named; 0.5: its group has the named CI; 0: neither. */
  readonly nearness: number;
}

const DAY_MS = 86_400_000;
const DAYS = 30;
const MOST = 12;
const WORDS = 6;
/** User actions whose groups are read. */
const MOST_ACTS = 200;

async function rowsOf<R>(asking: Asking, tool: AnyQuestionTool, params: ToolParams): Promise<readonly R[]> {
  const { onRun: _silent, ...quiet } = asking;
  return (await runTool({ ...quiet, signal: asking.signal }, tool, params)).rows as readonly R[];
}

const blank = { by: null, to: null, of: null, cis: [], overSince: null, isOver: true, risk: null } as const;
const verdictNote = (text: string): string => text.replace(/^root cause/, 'Root cause');

function ofAction(row: ActionRow, groups: ReadonlyMap<string, ToolIncidentRow>): WrittenRecord[] {
  const { kind, of, at, by, subject } = row;
  const group = groups.get(of);
  const text =
    kind === 'verdict'
      ? verdictNote(row.text)
      : kind === 'split' || kind === 'merged'
        ? row.text
        : wordsOf(kind, row.text);
  if (text === null || text === '') return [];
  const headline =
    group === undefined
      ? of
      : group.cause === null
        ? `a group of ${group.events} events`
        : `"${group.cause.title}"${group.cause.place === null ? '' : ` on ${group.cause.place}`}`;
  const written = kind === 'verdict' ? 'verdict' : kind === 'split' || kind === 'merged' ? 'split' : 'note';
  const [own] = whoActed.items(row);
  return [
    {
      ...blank,
      kind: written,
      text,
      about: subject ?? headline,
      hint: HINTS[written],
      by,
      at,
      of,
      cis: group?.cis ?? [],
      overSince: group?.to ?? group?.causeOver ?? null,
      isOver: group?.to != null,
      item: own as NewItem,
    },
  ];
}

const ofSilence = (row: SilenceRow): WrittenRecord => ({
  ...blank,
  kind: row.kind,
  text: row.reason ?? '',
  about: row.what,
  hint: HINTS[row.kind],
  by: row.by,
  at: row.from ?? row.setAt,
  to: row.to,
  cis: row.kind === 'maintenance' ? [row.id] : [],
  overSince: row.state === 'past' ? row.to : null,
  item: silences.items(row)[0] as NewItem,
});

const ofChange = (row: ToolChangeRow): WrittenRecord => ({
  ...blank,
  kind: row.eventId === null ? 'edit' : 'change',
  text: row.title,
  about: row.place ?? '',
  hint: HINTS[row.eventId === null ? 'edit' : 'change'],
  by: row.by,
  at: row.at,
  of: row.eventId,
  cis: row.ciId === null ? [] : [row.ciId],
  item: changes.items(row)[0] as NewItem,
});

const ofEvent = (row: ToolEventRow): WrittenRecord => ({
  ...blank,
  kind: 'event',
  text: row.title,
  about: row.place ?? '',
  hint: HINTS.event,
  at: row.from,
  to: row.to,
  of: row.eventId,
  cis: row.ciId === null ? [] : [row.ciId],
  overSince: row.to,
  item: events.items(row)[0] as NewItem,
});

async function plansOf(asking: Asking): Promise<WrittenRecord[]> {
  const tool = contributed(asking.ports.questionTools, PLANNED_CHANGES);
  const rows = tool === undefined ? [] : await rowsOf<never>(asking, tool, {});
  return (rows as readonly Parameters<NonNullable<typeof tool>['items']>[0][]).map((row) => ({
    ...blank,
    kind: 'plan',
    text: row.description ?? row.change,
    about: `${row.ciName} ${row.change}`,
    hint: HINTS.plan,
    by: row.by,
    at: row.from,
    to: row.to,
    cis: [row.ciId],
    risk: `${row.level}, ${row.score} of 100`,
    item: tool?.items(row)[0] as NewItem,
  }));
}

async function runbooksOf({ ports, tenant }: Asking): Promise<WrittenRecord[]> {
  const { runbooks } = await aiSettings(ports.records, tenant);
  return runbooks.map(({ url, text, title, complaint, ciType, service }, at) => ({
    ...blank,
    kind: 'runbook',
    text: [url, text].filter((one) => one !== undefined).join(': '),
    about: [title, complaint, ciType?.replaceAll('_', ' '), service].filter((one) => one !== undefined).join(' '),
    hint: HINTS.runbook,
    at: null,
    item: { ...item('query', `runbook ${at + 1}`, url, freeTexts({ runbook: text })), href: '/api/admin/settings/ai' },
  }));
}

/** The last days, and the next minute. */
const lastDays = ({ receivedAt: now }: Asking): string => isoRange({ from: now - DAYS * DAY_MS, to: now + 60_000 });

/** All that users have written; each kind needs its own permission. */
async function readWritten(asking: Asking): Promise<readonly WrittenRecord[]> {
  const time_range = lastDays(asking);
  const mayHear = asking.caller.permissions.has('events.read');
  const [acts, silenced, told, edits, plans, runbooks] = await Promise.all([
    rowsOf<ActionRow>(asking, whoActed, { time_range }),
    rowsOf<SilenceRow>(asking, silences, { state: SILENCE_STATES }),
    rowsOf<ToolChangeRow>(asking, changes, { time_range }),
    rowsOf<ToolChangeRow>(asking, changes, { edits: true, time_range }),
    plansOf(asking),
    mayHear ? runbooksOf(asking) : [],
  ]);
  const ids = [...new Set(acts.slice(-MOST_ACTS).map(({ of }) => of))];
  const byId = new Map((await groupsNamed(asking, ids)).map((row) => [row.id, row]));
  return [
    ...acts.flatMap((row) => ofAction(row, byId)),
    ...silenced.map(ofSilence),
    ...told.map(ofChange),
    ...edits.filter(({ by, title }) => by !== null && !title.startsWith('created')).map(ofChange),
    ...plans,
    ...runbooks,
  ];
}

const WRITTEN: MemorySlot<WeakMap<Asking, Promise<readonly WrittenRecord[]>>> = {
  name: 'question-records',
  open: () => new WeakMap(),
};
/** The same, read once for a question: a follow-up also asks with the words of the talk. */
function written(asking: Asking): Promise<readonly WrittenRecord[]> {
  const known = asking.ports.memory.of(WRITTEN);
  const records = known.get(asking) ?? readWritten(asking);
  known.set(asking, records);
  return records;
}

/** Events with one of the words in their title, but no changes. */
async function titled(asking: Asking, words: readonly string[]): Promise<WrittenRecord[]> {
  const params = { time_range: lastDays(asking), sort: 'newest' };
  const long = words.filter((word) => word.length > 2).slice(0, WORDS);
  const found = await Promise.all(long.map((search) => rowsOf<ToolEventRow>(asking, events, { search, ...params })));
  const titles = new Map(found.flatMap((rows) => rows.slice(0, 40)).map((row) => [row.eventId, row]));
  return [...titles.values()].filter(({ isChange }) => !isChange).map(ofEvent);
}

const WEIGHTS: Readonly<Record<RecordKind, number>> = {
  note: 0.6,
  verdict: 0.6,
  split: 0.6,
  silence: 0.5,
  maintenance: 0.5,
  plan: 0.5,
  runbook: 0.3,
  change: 0.3,
  edit: 0.2,
  event: 0,
};

export const recorded: QuestionTool<ParamsOf<typeof INPUTS.recorded>, RecordedRow> = {
  name: 'search_records',
  title: 'Search notes, plans and changes',
  description:
    'Notes, verdicts, reasons of splits and silences, maintenance, planned changes, runbooks, edits, deployments and titles of events of the last 30 days, those first that have most of the words.',
  input: INPUTS.recorded,
  permission: null,
  async run(asking, { text, ci: named, about, group, by }) {
    const ci = (await cisOf(asking, 'ci', named))?.map(({ id, name }) => ({ id, name: name.toLowerCase() })) ?? [];
    const words = meaningIn(text);
    const records = (await Promise.all([written(asking), titled(asking, words)])).flat();
    const ids = new Set(ci.map(({ id }) => id));
    const names = [...ci.map(({ name }) => name), ...(listOf<string>(about) ?? []).map((name) => name.toLowerCase())];
    const isOfCi = (record: WrittenRecord): number => {
      const spoken = `${record.text} ${record.about}`.toLowerCase();
      if (names.some((name) => spoken.includes(name))) return 1;
      if (!record.cis.some((id) => ids.has(id))) return 0;
      return record.cis.length === 1 ? 1 : 0.5;
    };
    const nearness = (record: WrittenRecord): number =>
      Math.max(isOfCi(record), group !== undefined && record.of === group ? 0.8 : 0);
    const bonus = (record: WrittenRecord): number =>
      4 * nearness(record) + WEIGHTS[record.kind] + (by !== undefined && record.by === by ? 3 : 0);
    const ranked = rankRecords(words, records, bonus);
    const rows = ranked
      .filter(({ covered, record }) => covered > 0 || nearness(record) > 0)
      .slice(0, MOST)
      .map((one: Ranked<WrittenRecord>) => ({ ...one.record, ...one, nearness: nearness(one.record) }));
    return { rows, total: rows.length };
  },
  items: (row) => [row.item],
  noun: 'record',
  tell: ({ kind, text, about, by, at }) => {
    const when = at === null ? '' : `, ${clockTime(Date.parse(at))}`;
    return `${kind}${about === '' ? '' : ` on ${about}`}${by === null ? '' : `, by ${by}`}${when}: "${text}".`;
  },
  none: 'Nothing recorded has these words.',
};
