/** Settings in the words of operators. A test compares the bounds with those of the server. */

import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import type { Field, SettingRow, SettingsSection } from '#console/forms/settings/field.ts';
import { count } from '#console/text/counts.ts';
import { PATTERN_WORDS } from '#console/text/explain-text.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { type OwnSetting, ownSettingsOf, type Strategy } from '#domain/correlation/strategy.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import * as texts from './texts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const MINUTES = [1, 2, 5, 10, 15, 20, 30, 45, 60];

const windowField = ({ name, auto }: Strategy): Field => {
  const base = { path: `strategies.${name}.windowMs`, words: 'within' } as const;
  if (auto === undefined) return { ...base, kind: 'duration', unit: 'min', least: MINUTE / 6, most: HOUR };
  const fixed = MINUTES.map((n) => ({ value: n * MINUTE, words: count(n, 'minute') }));
  return { ...base, kind: 'choice', choices: [{ value: 'auto', words: 'auto' }, ...fixed] };
};
const ownField = (strategy: string, name: string, setting: OwnSetting): Field => {
  const path = `strategies.${strategy}.${name}`;
  if (setting.kind !== 'choice') return { ...setting, path };
  const { words, choices } = setting;
  return { kind: 'choice', path, words, choices: choices.map((value) => ({ value, words: String(value) })) };
};
const strategyRow = (strategy: Strategy): SettingRow => ({
  words: strategy.words.setting,
  help: strategy.words.help,
  fields: [
    { kind: 'switch', path: `strategies.${strategy.name}.enabled`, words: 'on' },
    windowField(strategy),
    ...ownSettingsOf(strategy).map(([name, setting]) => ownField(strategy.name, name, setting)),
  ],
});
/** Evidence that counts less for CIs without a relationship is last. */
const STRONGEST_FIRST = strategies.toSorted((a, b) => (b.worthUnrelated ?? 1) - (a.worthUnrelated ?? 1));
const weight = (part: string, words: string, help: string): SettingRow => ({
  words,
  help,
  fields: [{ kind: 'number', path: `rootCause.${part}`, words: 'weight', least: 0, most: 10, step: 0.1 }],
});
const candidates = (name: string, most: number, words: string, help: string): SettingRow => ({
  words,
  help,
  fields: [{ kind: 'number', path: `candidates.${name}`, words: 'at most', least: 1, most, step: 1 }],
});

/** Settings of grouping: they can be tried on stored events. */
export const GROUPING: readonly SettingsSection[] = [
  {
    title: texts.correlationThreshold,
    rows: [
      {
        words: 'Minimum score',
        help: 'Two events are grouped when their score is above this. Raise it by 0.05 if groups contain unrelated events; lower it if one problem is split into several groups.',
        fields: [{ kind: 'number', path: 'threshold', words: 'above', least: 0.5, most: 0.99, step: 0.01 }],
      },
      {
        words: 'Score adjustment',
        help: 'Calibrated lowers scores for events that occur often anyway. Raw uses scores unchanged, for comparison.',
        fields: [
          {
            kind: 'choice',
            path: 'profile',
            words: 'profile',
            choices: [
              { value: 'calibrated', words: 'calibrated' },
              { value: 'specified', words: 'raw' },
            ],
          },
        ],
      },
    ],
  },
  { title: texts.correlationStrategies, rows: STRONGEST_FIRST.map(strategyRow) },
  {
    title: texts.groupLimits,
    rows: [
      {
        words: 'Maximum duration',
        help: 'A long-running alarm can merge unrelated problems. Raise this only if your outages last longer.',
        fields: [
          { kind: 'duration', path: 'guards.maxSpanMs', words: 'at most', unit: 'h', least: MINUTE, most: 7 * DAY },
        ],
      },
      {
        words: 'Maximum size',
        help: 'Maximum number of events in a group.',
        fields: [{ kind: 'number', path: 'guards.maxSize', words: 'at most', least: 2, most: 10_000, step: 1 }],
      },
      {
        words: 'Limit time-only matches',
        help: 'Prevents bursts of unrelated events from forming one group. Keep this on.',
        fields: [{ kind: 'switch', path: 'guards.temporalReach', words: 'on' }],
      },
      {
        words: 'Late events',
        help: 'Events older than this, compared to the newest event, are not grouped automatically.',
        fields: [{ kind: 'duration', path: 'latenessMs', words: 'older than', unit: 'min', least: 0, most: HOUR }],
      },
    ],
  },
  {
    title: texts.rootCauseRanking,
    rows: [
      weight('coverage', 'Downstream impact', "Share of affected CIs that are downstream of this event's CI."),
      weight('earliness', 'First event', 'Lower it if early but harmless events are ranked as root cause.'),
      weight('severity', 'Severity', 'Lower it if severe symptoms are ranked as root cause.'),
      weight('knownPattern', 'Known pattern', 'The event matches a pattern below.'),
      {
        words: 'Root-cause patterns',
        help: 'Remove patterns that are only symptoms in your environment.',
        fields: [
          {
            kind: 'several',
            path: 'rootCause.knownPatterns',
            words: 'patterns',
            choices: Object.entries(PATTERN_WORDS).map(([value, words]) => ({ value, words })),
          },
        ],
      },
    ],
  },
  {
    title: texts.eventStormLimits,
    rows: [
      candidates(
        'perKey',
        100,
        'Candidates per event',
        'Raise this if explanations often say that candidates were skipped.',
      ),
      candidates('perCi', 20, 'Candidates per CI', 'Keeps one noisy CI from using up all candidates.'),
      candidates('structure', 300, 'Related CIs checked', "CIs related to the new event's CI."),
    ],
  },
];

/** Settings of arrivals: they count from then on, and cannot be tried. */
export const ARRIVAL: readonly SettingsSection[] = [
  {
    title: texts.deduplication,
    rows: [
      {
        words: 'Deduplication window',
        help: 'A repeat within this time increments the existing event.',
        fields: [
          { kind: 'duration', path: 'dedupWindowMs', words: 'within', unit: 'min', least: MINUTE, most: 30 * DAY },
        ],
      },
      {
        words: 'Scope',
        help: 'Whether the same problem on several hosts creates one event per host or a single event.',
        fields: [
          {
            kind: 'choice',
            path: 'dedupScope',
            words: 'creates',
            choices: [
              { value: 'system', words: 'one event per host' },
              { value: 'signature', words: 'a single event' },
            ],
          },
        ],
      },
      {
        words: 'Severity changes',
        help: 'For direct ingestion: what happens when the same problem is sent with another severity.',
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
        words: 'Clock skew',
        help: 'Timestamps older than this, compared to the newest event, are replaced by the receive time.',
        fields: [
          { kind: 'duration', path: 'maxBehindMs', words: 'older than', unit: 'd', least: HOUR, most: 90 * DAY },
        ],
      },
      {
        words: 'Heartbeats',
        help: 'Alerts that always fire, such as Watchdog, one per line. If one stops for 15 minutes, a critical event is created.',
        fields: [{ kind: 'list', path: 'heartbeats', words: 'names' }],
      },
      {
        words: 'Effects in Alertmanager clients',
        help: 'How the Alertmanager API shows alerts with a known probable root cause. Inhibited alerts are hidden by most clients.',
        fields: [
          {
            kind: 'choice',
            path: 'showEffectsAs',
            words: 'are',
            choices: [
              { value: 'inhibited', words: 'inhibited' },
              { value: 'active', words: 'active' },
            ],
          },
        ],
      },
    ],
  },
];

const silence = (path: string): Field => ({
  kind: 'choice',
  path,
  words: 'after',
  choices: [
    { value: 10 * MINUTE, words: '10 minutes' },
    { value: 30 * MINUTE, words: '30 minutes' },
    { value: HOUR, words: '1 hour' },
    { value: 4 * HOUR, words: '4 hours' },
    { value: 12 * HOUR, words: '12 hours' },
    { value: DAY, words: '1 day' },
    { value: 3 * DAY, words: '3 days' },
    { value: 7 * DAY, words: '7 days' },
    { value: 30 * DAY, words: '30 days' },
    { value: null, words: 'never' },
  ],
});

/** Settings by which events end automatically. */
export const ENDING: readonly SettingsSection[] = [
  {
    title: texts.autoResolve,
    rows: [
      {
        words: 'Sources without recovery messages',
        help: 'Resolve an event after this long without updates.',
        fields: [silence('resolveAfterMs')],
      },
      {
        words: 'Sources with recovery messages',
        help: 'Normally resolved by the source; this is a fallback.',
        fields: [silence('conditionResolveAfterMs')],
      },
      {
        words: 'Maintenance includes impacted CIs',
        help: 'CI maintenance also suppresses events on all impacted CIs.',
        fields: [{ kind: 'switch', path: 'maintenanceBelow', words: 'on' }],
      },
      {
        words: 'Reactivate acknowledged groups',
        help: 'An acknowledged group becomes active again if an event is more severe or affects another service.',
        fields: [{ kind: 'switch', path: 'worseReopens', words: 'on' }],
      },
      {
        words: 'Replica labels',
        help: 'Labels that identify replicas of one Prometheus, one per line. Alerts that differ only in these labels are one event.',
        fields: [{ kind: 'list', path: 'replicaLabels', words: 'labels' }],
      },
    ],
  },
  {
    title: texts.ungroupedEvents,
    rows: [
      {
        words: 'Minimum severity',
        help: 'Minimum severity of ungrouped events on Groups, on the wallboard and in webhooks.',
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
