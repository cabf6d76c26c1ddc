import type { TrialBody } from '#features/trials/schemas/trials.ts';
import type { DataReply } from '#infra/cli/client/replies.ts';
import { clip, count, counted, moment, tableOf } from '#infra/cli/terminal/screen.ts';

export type TrialReply = DataReply<typeof TrialBody>;

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
