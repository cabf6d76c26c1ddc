import { type Command, Option } from 'commander';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { ReplyOf } from '#cli/client/replies.ts';
import type { CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { count, counted, exactPercent, tableOf } from '#cli/terminal/screen.ts';
import type { QualityBody } from '#schemas/http/events/quality.ts';
import { TIME_RANGES } from '#schemas/http/time.ts';

type Quality = ReplyOf<typeof QualityBody>;
type ShareReply = Quality['cause'];
interface QualityReply {
  readonly quality: Quality;
}

const intervalOf = ({ interval }: Pick<ShareReply, 'interval'>): string =>
  interval === null ? '–' : `${exactPercent(interval.low)} to ${exactPercent(interval.high)}`;

const rowOf = (name: string, share: ShareReply): string[] => [
  name,
  count(share.right),
  count(share.of),
  exactPercent(share.of === 0 ? null : share.right / share.of),
  intervalOf(share),
];

const shareTable = (title: string, rows: readonly string[][], right = 'root cause correct'): string =>
  tableOf(
    [
      { title, width: 34 },
      { title: right, right: true },
      { title: 'verdicts', right: true },
      { title: 'share', right: true },
      { title: '95% interval', width: 20 },
    ],
    rows,
  );

const calibrationText = ({ calibration: { of, error } }: Quality): string =>
  error === null
    ? `Calibration needs 30 right/wrong verdicts; ${count(of)} so far.`
    : `Expected calibration error (ECE): ${error.toFixed(3)} over ${counted(of, 'verdict')} (0 is perfect).`;

const binTable = ({ calibration: { bins } }: Quality): string =>
  tableOf(
    [
      { title: 'confidence', width: 14 },
      { title: 'verdicts', right: true },
      { title: 'mean confidence', right: true },
      { title: 'root cause correct', right: true },
      { title: '95% interval', width: 20 },
    ],
    bins.map(({ from, to, judged, meanConfidence, hitRate, interval }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      count(judged),
      exactPercent(meanConfidence),
      exactPercent(hitRate),
      intervalOf({ interval }),
    ]),
  );

const correctionsText = ({ corrections: { splits, merges, truncated }, members }: Quality): string =>
  `Events: correct ${count(members.right)}, too many ${count(members.too_many)}, too few ${count(members.too_few)}. ` +
  `Manual corrections: ${counted(splits, 'split')}, ${counted(merges, 'merge')}${truncated ? ' at least' : ''}.`;

/** Fewer verdicts make wide intervals. */
const ENOUGH = 30;
const fewText = (verdicts: number): string[] =>
  verdicts < ENOUGH ? [`Fewer than ${ENOUGH} verdicts: rely on the interval, not on the share.`] : [];

const NONE = 'No verdicts in this period. Add one with `faultline group verdict`.';

/** Verdicts of users on groups. */
const qualityText = ({ quality }: QualityReply): string => {
  if (quality.verdicts === 0) return [NONE, correctionsText(quality)].join('\n');
  const { verdicts, cause, groups, byStrategy, byCiType, truncated } = quality;
  const all = `${counted(verdicts, 'verdict')}${truncated ? ' (newest 1,000 groups of each kind)' : ''}.`;
  return [
    `${all} ${correctionsText(quality)}`,
    ...fewText(cause.of),
    shareTable('root causes with a verdict', [rowOf('all', cause)]),
    shareTable(
      'groups with a verdict',
      [
        rowOf('right events', groups.correct),
        rowOf('no unrelated events', groups.precise),
        rowOf('no missing events', groups.complete),
      ],
      'correct',
    ),
    shareTable(
      'by strategy',
      byStrategy.map((one) => rowOf(one.strategy ?? 'none stored', one)),
    ),
    shareTable(
      'by root-cause CI type',
      byCiType.map((one) => rowOf(one.type ?? 'no CI', one)),
    ),
    calibrationText(quality),
    ...(quality.calibration.error === null ? [] : [binTable(quality)]),
  ].join('\n');
};

interface QualityOptions extends ConnectionOptions {
  readonly range: string;
}

export const addQuality =
  (features: readonly CliFeature[]) =>
  (program: Command, environment: CliEnvironment): Command => {
    const measures = features.flatMap((one) => one.measures ?? []);
    const quality = connected(program.command('quality'))
      .description(['root-cause accuracy from verdicts', ...measures.map(({ words }) => words)].join('; '))
      .addOption(
        new Option('--range <range>', 'time range of the verdicts').choices(Object.keys(TIME_RANGES)).default('7d'),
      );
    for (const option of measures.flatMap((one) => [one.option, ...one.others])) quality.addOption(option);
    return quality.action(async (options: QualityOptions, command: Command) => {
      const measure = measures.find(({ option }) => command.getOptionValue(option.attributeName()) === true);
      if (measure) return measure.run(options, command.getOptionValueSource('url') === 'cli', environment);
      const path = `/api/events/quality?${queryOf({ timeRange: options.range })}`;
      show(environment.screen, options, await clientOf(options).get<QualityReply>(path), qualityText);
    });
  };
