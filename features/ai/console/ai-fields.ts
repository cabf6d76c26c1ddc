import type { SettingsSection } from '#console/forms/settings/field.ts';
import * as texts from './texts.ts';

/** Settings of AI functions, in the words of operators. A test compares the bounds with those of the server. */

const ZONES: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];

export const AI_SECTIONS: readonly SettingsSection[] = [
  {
    title: texts.budget,
    rows: [
      {
        words: 'Daily token limit',
        help: 'Input plus output tokens, reset at 00:00 UTC. When used up, answers are rule-based. 0 turns the model off.',
        fields: [
          { kind: 'number', path: 'dailyTokens', words: 'at most', least: 0, most: 1_000_000_000, step: 10_000 },
        ],
      },
      {
        words: 'Monthly cost limit',
        help: 'In the currency of the configured prices. Has no effect without prices.',
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
        words: 'Share for automatic analyses',
        help: 'The rest is reserved for user questions.',
        fields: [
          { kind: 'number', path: 'analysisShare', words: 'at most', least: 0, most: 1, step: 0.01, isShare: true },
        ],
      },
    ],
  },
  {
    title: texts.behavior,
    rows: [
      {
        words: 'Analyze new events',
        help: 'Adds a short analysis and first steps to each new event, with or without a model.',
        fields: [{ kind: 'switch', path: 'analyse', words: 'on' }],
      },
      {
        words: 'Minimum confidence for a root cause',
        help: 'Below this, answers say that the root cause is unknown.',
        fields: [
          { kind: 'number', path: 'abstainBelow', words: 'below', least: 0, most: 1, step: 0.01, isShare: true },
        ],
      },
      {
        words: 'Accepted error rate',
        help: 'After 30 verdicts, the minimum confidence is derived from this rate.',
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
        words: 'Pseudonymize hosts for the model',
        help: 'The model sees host-x1 and addr-x2. Answers show the real names.',
        fields: [{ kind: 'switch', path: 'pseudonymise', words: 'on' }],
      },
    ],
  },
  {
    title: texts.location,
    rows: [
      {
        words: 'Country',
        help: 'Two-letter code, such as DE. Its public holidays count in change-risk scores.',
        fields: [{ kind: 'text', path: 'country', words: 'code', most: 2, none: 'none', isUpper: true }],
      },
      {
        words: 'Time zone',
        help: 'Used for business hours and recurring-event times.',
        fields: [
          { kind: 'choice', path: 'zone', words: 'zone', choices: ZONES.map((value) => ({ value, words: value })) },
        ],
      },
    ],
  },
];
