import { CliError } from '#cli/client/client.ts';
import type { DataReply } from '#cli/client/replies.ts';
import { clip, tableOf } from '#cli/terminal/screen.ts';
import { isRecord } from '#domain/record-of.ts';
import type { CorrelationReply } from '#schemas/http/admin/settings.ts';

export type SettingsReply = DataReply<typeof CorrelationReply>;

type SettingsTree = Readonly<Record<string, unknown>>;

/** A value: JSON, else a word. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const MAX_DEPTH = 5;
const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight((inner, name) => ({ [name]: inner }), value);

const united = (a: SettingsTree, b: SettingsTree): SettingsTree => {
  const both: Record<string, unknown> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const known = both[name];
    both[name] = isRecord(known) && isRecord(value) ? united(known, value) : value;
  }
  return both;
};

/** `guards.maxSize=500` as a patch. */
export const patchOf = (changes: readonly string[]): SettingsTree =>
  changes.reduce<SettingsTree>((patch, change) => {
    const at = change.indexOf('=');
    const path = change.slice(0, at).split('.');
    if (at < 1 || path.length > MAX_DEPTH || path.includes(''))
      throw new CliError(`${change}: expected name=value, such as threshold=0.75 or guards.maxSize=500`);
    return united(patch, nested(path, parsed(change.slice(at + 1))) as SettingsTree);
  }, {});

/** Every setting with its path. */
const leaves = (settings: SettingsTree, above = ''): [string, unknown][] =>
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
