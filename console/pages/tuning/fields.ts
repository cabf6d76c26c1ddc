/** Settings in the words of operators. A test compares the bounds with those of the server. */

import { SEVERITY_WORDS } from '#console/facts/severity-shapes.ts';
import type { Field, Row, SettingsSection } from '#console/forms/settings/field.ts';
import { PATTERN_WORDS } from '#console/words/explain-words.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { type OwnSetting, ownSettingsOf, type Strategy } from '#domain/correlation/strategy.ts';
import { SEVERITIES } from '#domain/event/event.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MINUTES = [1, 2, 5, 10, 15, 20, 30, 45, 60];

const windowField = ({ name, auto }: Strategy): Field => {
  const base = { path: `strategies.${name}.windowMs`, words: 'within' } as const;
  if (auto === undefined) return { ...base, kind: 'duration', unit: 'min', least: MINUTE / 6, most: HOUR };
  const fixed = MINUTES.map((n) => ({ value: n * MINUTE, words: `${n} min` }));
  return { ...base, kind: 'choice', choices: [{ value: 'auto', words: 'automatic' }, ...fixed] };
};
const ownField = (strategy: string, name: string, setting: OwnSetting): Field => {
  const path = `strategies.${strategy}.${name}`;
  if (setting.kind !== 'choice') return { ...setting, path };
  const { words, choices } = setting;
  return { kind: 'choice', path, words, choices: choices.map((value) => ({ value, words: String(value) })) };
};
const strategyRow = (strategy: Strategy): Row => ({
  words: strategy.words.setting,
  help: strategy.words.help,
  fields: [
    { kind: 'switch', path: `strategies.${strategy.name}.enabled`, words: 'on' },
    windowField(strategy),
    ...ownSettingsOf(strategy).map(([name, setting]) => ownField(strategy.name, name, setting)),
  ],
});
/** Evidence that counts less for CIs without a relationship comes last. */
const STRONGEST_FIRST = strategies.toSorted((a, b) => (b.worthUnrelated ?? 1) - (a.worthUnrelated ?? 1));
const weight = (part: string, words: string, help: string): Row => ({
  words,
  help,
  fields: [{ kind: 'number', path: `rootCause.${part}`, words: 'weight', least: 0, most: 10, step: 0.1 }],
});
const candidates = (name: string, most: number, words: string, help: string): Row => ({
  words,
  help,
  fields: [{ kind: 'number', path: `candidates.${name}`, words: 'at most', least: 1, most, step: 1 }],
});

/** Settings of grouping: they can be tried on stored events. */
export const GROUPING: readonly SettingsSection[] = [
  {
    title: 'When two events belong together',
    rows: [
      {
        words: 'Score that joins',
        help: 'A pair joins when its score is above this. Raise it by 0.05 when groups hold too much; lower it when one fault falls into several.',
        fields: [{ kind: 'number', path: 'threshold', words: 'above', least: 0.5, most: 0.99, step: 0.01 }],
      },
      {
        words: 'Chance',
        help: 'Calibrated weighs each score by how often such events come anyway. Literal takes it as it is, and is there to compare.',
        fields: [
          {
            kind: 'choice',
            path: 'profile',
            words: 'profile',
            choices: [
              { value: 'calibrated', words: 'calibrated' },
              { value: 'specified', words: 'literal' },
            ],
          },
        ],
      },
    ],
  },
  {
    title: 'What joins them',
    rows: STRONGEST_FIRST.map(strategyRow),
  },
  {
    title: 'How far a group may grow',
    rows: [
      {
        words: 'Longest group',
        help: 'A standing alarm glues faults together: raise it only when the faults of your estate last longer.',
        fields: [
          { kind: 'duration', path: 'guards.maxSpanMs', words: 'at most', unit: 'h', least: MINUTE, most: 7 * DAY },
        ],
      },
      {
        words: 'Largest group',
        help: 'Events that one group may hold.',
        fields: [{ kind: 'number', path: 'guards.maxSize', words: 'at most', least: 2, most: 10_000, step: 1 }],
      },
      {
        words: 'Time alone stays near the first event',
        help: 'Without it a shower of unrelated events becomes one group. Leave it on.',
        fields: [{ kind: 'switch', path: 'guards.temporalReach', words: 'on' }],
      },
      {
        words: 'Late events',
        help: 'What comes further behind the newest event does not join by itself any more.',
        fields: [{ kind: 'duration', path: 'latenessMs', words: 'behind by', unit: 'min', least: 0, most: HOUR }],
      },
    ],
  },
  {
    title: 'What counts as the cause',
    rows: [
      weight('coverage', 'Explains the others', 'How many of the other CIs lie behind its own.'),
      weight('earliness', 'Came first', 'Lower it when causes are named too early.'),
      weight('severity', 'Is severe', 'Lower it when severe symptoms are taken for causes.'),
      weight('knownPattern', 'Is a known cause', 'It is one of the complaints below.'),
      {
        words: 'Known causes',
        help: 'Take one away that is a symptom with you.',
        fields: [
          {
            kind: 'several',
            path: 'rootCause.knownPatterns',
            words: 'complaints',
            choices: Object.entries(PATTERN_WORDS).map(([value, words]) => ({ value, words })),
          },
        ],
      },
    ],
  },
  {
    title: 'How much is compared in a storm',
    rows: [
      candidates(
        'perKey',
        100,
        'Nearest events in all',
        'Raise these when explanations often say that candidates were cut off.',
      ),
      candidates('perCi', 20, 'Nearest events of one CI', 'So that one loud CI does not fill the list.'),
      candidates('structure', 300, 'CIs looked at on the map', 'Joined to that of the new event.'),
    ],
  },
];

/** Settings of arrivals: they count from then on, and cannot be tried. */
export const ARRIVAL: readonly SettingsSection[] = [
  {
    title: 'What becomes an event',
    rows: [
      {
        words: 'The same again',
        help: 'A message that says the same within this time is counted with the event that is there.',
        fields: [
          { kind: 'duration', path: 'dedupWindowMs', words: 'within', unit: 'min', least: MINUTE, most: 30 * DAY },
        ],
      },
      {
        words: 'From several hosts',
        help: 'Whether hosts that say the same make an event each, or one together.',
        fields: [
          {
            kind: 'choice',
            path: 'dedupScope',
            words: 'counts as',
            choices: [
              { value: 'system', words: 'an event each' },
              { value: 'signature', words: 'one event' },
            ],
          },
        ],
      },
      {
        words: 'Another severity',
        help: 'What the same complaint with another severity becomes when no webhook sends it.',
        fields: [
          {
            kind: 'choice',
            path: 'plainEscalation',
            words: 'is',
            choices: [
              { value: 'new_event', words: 'a new event' },
              { value: 'same_event', words: 'the same event' },
            ],
          },
        ],
      },
      {
        words: 'Old times',
        help: 'A time further behind your newest event is not believed.',
        fields: [{ kind: 'duration', path: 'maxBehindMs', words: 'behind by', unit: 'd', least: HOUR, most: 90 * DAY }],
      },
      {
        words: 'Heartbeats',
        help: 'Names of alerts that always fire, such as Watchdog, one a line. Once heard, 15 minutes of silence make a critical event.',
        fields: [{ kind: 'list', path: 'heartbeats', words: 'names' }],
      },
    ],
  },
];

const silence = (path: string): Field => ({
  kind: 'choice',
  path,
  words: 'after',
  choices: [
    { value: 10 * MINUTE, words: '10 min' },
    { value: 30 * MINUTE, words: '30 min' },
    { value: HOUR, words: '1 h' },
    { value: 4 * HOUR, words: '4 h' },
    { value: 12 * HOUR, words: '12 h' },
    { value: DAY, words: '1 day' },
    { value: 3 * DAY, words: '3 days' },
    { value: 7 * DAY, words: '7 days' },
    { value: 30 * DAY, words: '30 days' },
    { value: null, words: 'never' },
  ],
});

/** How events end that nothing ends. */
export const ENDING: readonly SettingsSection[] = [
  {
    title: 'When silence ends an event',
    rows: [
      {
        words: 'Of senders that never say "over"',
        help: 'Such an event is resolved when nothing more is heard of it for this long.',
        fields: [silence('resolveAfterMs')],
      },
      {
        words: 'Of monitors that do',
        help: 'Their word counts; silence ends what they have forgotten.',
        fields: [silence('conditionResolveAfterMs')],
      },
      {
        words: 'Maintenance reaches further',
        help: 'The maintenance of a CI suppresses the events of everything that fails with it, too.',
        fields: [{ kind: 'switch', path: 'maintenanceBelow', words: 'on' }],
      },
      {
        words: 'Worse makes an acknowledged group active',
        help: 'When a member is worse than all that was acknowledged, or hits a further service.',
        fields: [{ kind: 'switch', path: 'worseReopens', words: 'on' }],
      },
      {
        words: 'Replica labels',
        help: 'Labels that tell two replicas of one Prometheus apart, one a line. Alerts that differ in nothing else are one event.',
        fields: [{ kind: 'list', path: 'replicaLabels', words: 'labels' }],
      },
    ],
  },
  {
    title: 'Events in no group',
    rows: [
      {
        words: 'Shown among groups',
        help: 'The least severity of events in no group on Groups and the large screen, and in webhooks for ungrouped events.',
        fields: [
          {
            kind: 'choice',
            path: 'loneFrom',
            words: 'from',
            choices: SEVERITIES.map((value) => ({ value, words: SEVERITY_WORDS[value] })),
          },
        ],
      },
    ],
  },
];
