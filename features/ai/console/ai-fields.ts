import type { SettingsSection } from '#console/forms/settings/field.ts';

/** Settings of AI functions, in the words of operators. A test compares the bounds with those of the server. */

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export const AI_SECTIONS: readonly SettingsSection[] = [
  {
    title: 'What it may cost',
    rows: [
      {
        words: 'Tokens a day',
        help: 'Read and written ones together, from midnight UTC. When they are spent, the rules answer. 0: no model is asked.',
        fields: [
          { kind: 'number', path: 'dailyTokens', words: 'at most', least: 0, most: 1_000_000_000, step: 10_000 },
        ],
      },
      {
        words: 'Cost a month',
        help: 'In the currency of the prices that the server was told; without prices it limits nothing.',
        fields: [
          {
            kind: 'number',
            path: 'monthlyCost',
            words: 'at most',
            none: 'no limit',
            least: 0,
            most: 1_000_000_000,
            step: 1,
          },
        ],
      },
      {
        words: 'Share of analyses that nobody asked for',
        help: 'The rest is kept for questions of people.',
        fields: [
          { kind: 'number', path: 'analysisShare', words: 'at most', least: 0, most: 1, step: 0.01, isShare: true },
        ],
      },
    ],
  },
  {
    title: 'What it does and says',
    rows: [
      {
        words: 'Analyse new events',
        help: 'Each new event gets a sentence on what it is and where to look first, with or without a model.',
        fields: [{ kind: 'switch', path: 'analyse', words: 'on' }],
      },
      {
        words: 'Name no cause below',
        help: 'With less confidence the answer says that the cause is not known.',
        fields: [
          { kind: 'number', path: 'abstainBelow', words: 'below', least: 0, most: 1, step: 0.01, isShare: true },
        ],
      },
      {
        words: 'Wrong causes that you bear',
        help: 'Once 30 causes were judged, the confidence that keeps this share takes the place of the one above.',
        fields: [
          {
            kind: 'number',
            path: 'maxError',
            words: 'at most',
            none: 'not set',
            least: 0,
            most: 1,
            step: 0.01,
            isShare: true,
          },
        ],
      },
      {
        words: 'Hide names from the model',
        help: 'It sees host-x1 and addr-x2 instead of names of hosts and addresses; answers have the real ones.',
        fields: [{ kind: 'switch', path: 'pseudonymise', words: 'on' }],
      },
    ],
  },
  {
    title: 'Where you are',
    rows: [
      {
        words: 'Country',
        help: 'Two letters, such as DE: its public holidays count when the risk of a change is judged.',
        fields: [{ kind: 'text', path: 'country', words: 'code', most: 2, none: 'none', isUpper: true }],
      },
      {
        words: 'Time zone',
        help: 'Of business hours, and of the times of day at which an event is usual.',
        fields: [
          { kind: 'choice', path: 'zone', words: 'zone', choices: ZONES.map((value) => ({ value, words: value })) },
        ],
      },
    ],
  },
];
