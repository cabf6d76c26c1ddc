import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { type OwnSetting, ownSettingsOf, type Strategy } from '#domain/correlation/strategy.ts';

/** The Avro types that follow from the list of strategies. A new one is a field with a default and a symbol: both may be added (BACKWARD). */

const ownField = (name: string, setting: OwnSetting) => {
  if (setting.kind === 'switch') return { name, type: 'boolean' };
  if (setting.kind === 'number') return { name, type: 'double', doc: `${setting.least} to ${setting.most}.` };
  const { choices } = setting;
  return { name, type: 'int', doc: `${Math.min(...choices)} to ${Math.max(...choices)}.` };
};

const SWITCH = [
  { name: 'enabled', type: 'boolean' },
  { name: 'windowMs', type: 'long' },
];

/** Strategies without settings of their own share a type, which is written out at its first use. */
const settingsType = (strategy: Strategy, place: number, all: readonly Strategy[]) => {
  const { name } = strategy;
  const ownFields = ownSettingsOf(strategy);
  if (ownFields.length === 0) {
    if (all.findIndex((one) => ownSettingsOf(one).length === 0) < place) return 'StrategySwitch';
    const doc = 'Whether a strategy runs, and how far it reaches.';
    return { type: 'record', name: 'StrategySwitch', doc, fields: SWITCH };
  }
  const fields = [...SWITCH, ...ownFields.map(([key, setting]) => ownField(key, setting))];
  const typeName = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Switch`;
  return { type: 'record', name: typeName, doc: `Whether the ${name} strategy runs, and how far it reaches.`, fields };
};

const defaultOf = ({ defaults, auto }: Strategy) =>
  defaults.windowMs === 'auto' ? { ...defaults, windowMs: auto?.mostMs } : defaults;

const definitionsFor = (list: readonly Strategy[]): Readonly<Record<string, object>> => ({
  Strategies: {
    type: 'record',
    name: 'Strategies',
    doc: 'Settings of each strategy.',
    fields: list.map((strategy, place) => ({
      name: strategy.name,
      type: settingsType(strategy, place, list),
      default: defaultOf(strategy),
    })),
  },
  StrategyName: { type: 'enum', name: 'StrategyName', symbols: list.map(({ name }) => name) },
});

/** The schema of a file, where these types are named and not defined, with each of them defined where it is named first. */
export const withStrategies = (text: string, list = strategies): string => {
  const waiting = new Map(Object.entries(definitionsFor(list)));
  const defined = (_key: string, value: unknown): unknown => {
    const definition = typeof value === 'string' ? waiting.get(value) : undefined;
    if (definition === undefined) return value;
    waiting.delete(value as string);
    return definition;
  };
  return JSON.stringify(JSON.parse(text, defined), null, 2);
};
