import type { ReplyOf } from '#infra/cli/client/replies.ts';
import { count, counted, exactPercent, tableOf } from '#infra/cli/terminal/screen.ts';
import type { QualityBody } from '#schemas/http/events/quality.ts';

type Quality = ReplyOf<typeof QualityBody>;
/** How often the cause was right, of the verdicts that say so or not. */
type ShareReply = Quality['cause'];
export interface QualityReply {
  readonly quality: Quality;
}

const intervalOf = ({ interval }: ShareReply): string =>
  interval === null ? '–' : `${exactPercent(interval.low)} to ${exactPercent(interval.high)}`;

const rowOf = (name: string, share: ShareReply): string[] => [
  name,
  count(share.right),
  count(share.of),
  exactPercent(share.of === 0 ? null : share.right / share.of),
  intervalOf(share),
];

const shareTable = (title: string, rows: readonly string[][]): string =>
  tableOf(
    [
      { title, width: 34 },
      { title: 'cause right', right: true },
      { title: 'of', right: true },
      { title: 'share', right: true },
      { title: 'interval, 95 %', width: 20 },
    ],
    rows,
  );

const calibrationText = ({ calibration: { of, error } }: Quality): string =>
  error === null
    ? `Confidence cannot be held against verdicts yet: it takes 30 that say right or wrong, and there are ${count(of)}.`
    : `Error of confidence (ECE): ${error.toFixed(3)} over ${counted(of, 'verdict')}; 0 means that it says how often it is right.`;

const binTable = ({ calibration: { bins } }: Quality): string =>
  tableOf(
    [
      { title: 'confidence', width: 14 },
      { title: 'verdicts', right: true },
      { title: 'mean confidence', right: true },
      { title: 'cause right', right: true },
    ],
    bins.map(({ from, to, judged, meanConfidence, hitRate }) => [
      `${from.toFixed(1)} to ${to.toFixed(1)}`,
      count(judged),
      exactPercent(meanConfidence),
      exactPercent(hitRate),
    ]),
  );

const correctionsText = ({ corrections: { splits, merges, truncated }, members }: Quality): string =>
  `Members: right ${count(members.right)}, too many ${count(members.too_many)}, too few ${count(members.too_few)}. ` +
  `Mended by hand: ${counted(splits, 'split')}, ${counted(merges, 'merge')}${truncated ? ' at least' : ''}.`;

const NONE =
  'Nobody has judged a group in this time: say whether its cause and members were right with `faultline group verdict`.';

/** Verdicts of people on groups. */
export const qualityText = ({ quality }: QualityReply): string => {
  if (quality.verdicts === 0) return [NONE, correctionsText(quality)].join('\n');
  const { verdicts, cause, byStrategy, byCiType, truncated } = quality;
  const all = `${counted(verdicts, 'verdict')}${truncated ? ' (the newest 1,000 groups of each kind are counted)' : ''}.`;
  return [
    `${all} ${correctionsText(quality)}`,
    shareTable('causes that were judged', [rowOf('all', cause)]),
    shareTable(
      'by strategy of the best link',
      byStrategy.map((one) => rowOf(one.strategy ?? 'none is stored', one)),
    ),
    shareTable(
      'by CI type of the cause',
      byCiType.map((one) => rowOf(one.type ?? 'no CI', one)),
    ),
    calibrationText(quality),
    ...(quality.calibration.error === null ? [] : [binTable(quality)]),
  ].join('\n');
};
