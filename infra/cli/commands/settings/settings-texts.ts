import { isRecord } from '#domain/record-of.ts';
import type { TrialBody } from '#features/trials/schemas/trials.ts';
import { CliError } from '#infra/cli/client/client.ts';
import type { DataReply } from '#infra/cli/client/replies.ts';
import { clip, count, counted, moment, tableOf } from '#infra/cli/terminal/screen.ts';
import type { CorrelationReply } from '#schemas/http/admin/settings.ts';

export type SettingsReply = DataReply<typeof CorrelationReply>;
export type TrialReply = DataReply<typeof TrialBody>;

type Json = Readonly<Record<string, unknown>>;

/** A value: JSON, else a word. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const MOST_DEPTH = 5;
const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => ({ [name]: inner }), value);

const united = (a: Json, b: Json): Json => {
  const both: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const known = both[name];
    both[name] = isRecord(known) && isRecord(value) ? united(known, value) : value;
  }
  return both;
};

/** `guards.maxSize=500` as a patch. */
export const patchOf = (changes: readonly string[]): Json =>
  changes.reduce<Json>((patch, change) => {
    const at = change.indexOf('=');
    const path = change.slice(0, at).split('.');
    if (at < 1 || path.length > MOST_DEPTH || path.includes(''))
      throw new CliError(`${change}: expected name=value, such as threshold=0.75 or guards.maxSize=500`);
    return united(patch, nested(path, parsed(change.slice(at + 1))) as Json);
  }, {});

/** Every setting with its path. */
const leaves = (settings: Json, above = ''): [string, unknown][] =>
  Object.entries(settings).flatMap(([name, value]) =>
    isRecord(value) ? leaves(value, `${above}${name}.`) : [[above + name, value] as [string, unknown]],
  );

export const settingsText = ({ data: { effective, defaults } }: SettingsReply): string => {
  const standard = new Map(leaves(defaults));
  const shown = (value: unknown): string => clip(JSON.stringify(value), 60);
  return tableOf(
    [
      { title: 'setting', width: 34 },
      { title: 'value', width: 30 },
      { title: 'default', width: 30 },
    ],
    leaves(effective).map(([name, value]) => {
      const other = standard.get(name);
      return [name, shown(value), JSON.stringify(other) === JSON.stringify(value) ? '' : shown(other)];
    }),
  );
};

const SHOWN = 20;
const sizes = (groups: readonly { readonly size: number }[]): string =>
  groups.length === 0 ? '–' : groups.map(({ size }) => count(size)).join(' + ');

const changeTable = (changes: readonly NonNullable<TrialReply['data']['changes']>[number][]): string =>
  tableOf(
    [
      { title: 'change' },
      { title: 'events before', width: 20 },
      { title: 'events after', width: 20 },
      { title: 'about', width: 56 },
    ],
    changes.map(({ kind, before, after, titles }) => [
      kind,
      sizes(before),
      sizes(after),
      titles.map((one) => clip(one, 80)).join('; '),
    ]),
  );

/** The result of a trial. */
export const trialText = ({ data }: TrialReply): string => {
  const { before, after, changes, changed, verdicts, from, events, truncated } = data;
  if (before === null || after === null || changes === null || verdicts === null) return `The trial is ${data.state}.`;
  const row = (title: string, name: keyof typeof before): string[] => [title, count(before[name]), count(after[name])];
  const since = `${counted(events ?? 0, 'event')} since ${moment(from ?? '')}`;
  return [
    `${since}${truncated ? ', the newest: there are too many for all hours' : ''}. Nothing was changed.`,
    tableOf(
      [
        { title: '', width: 30 },
        { title: 'as it was', right: true },
        { title: 'with these settings', right: true },
      ],
      [
        row('groups', 'groups'),
        row('events in groups', 'grouped'),
        row('events of the largest group', 'largest'),
        row('events that stand alone', 'noise'),
      ],
    ),
    ...(changes.length === 0 ? ['No group would be another one.'] : [changeTable(changes.slice(0, SHOWN))]),
    ...(changes.length > SHOWN
      ? [`${count(SHOWN)} of ${counted(changed ?? 0, 'change')}, the largest; --json has up to 100.`]
      : []),
    `Groups that people called right: ${count(verdicts.kept)} would come out the same, ${count(verdicts.lost)} would not.`,
  ].join('\n');
};
