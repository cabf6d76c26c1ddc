import type { GroupDetailShown } from '#console/api/groups.ts';
import { CiName } from '#console/facts/ci-name.tsx';
import { Confidence } from '#console/facts/confidence.tsx';
import { ScoreBars } from '#console/facts/score-bars.tsx';
import { SEVERITY_WORDS } from '#console/facts/severity-shapes.ts';
import { Panel } from '#console/frame/panel.tsx';
import { count, names, number, percent, plain } from '#console/words/counts.ts';
import { PART_WORDS, PATTERN_WORDS } from '#console/words/explain-words.ts';
import { explainedWords, isCertain, reasonWords } from '#console/words/group-words.ts';
import { duration } from '#console/words/times.ts';
import classes from './group.module.css';

type Cause = NonNullable<GroupDetailShown['cause']>;

/** The most that a part can add to the score. */
const MOST_PART = 0.5;
const ALTERNATIVES = 3;

const nameOf = (cause: Cause): string => cause.ci?.name ?? cause.event.hostname ?? cause.event.title;

/** The name leads to what else is known of the cause. */
function Name({ cause, certain }: { readonly cause: Cause; readonly certain: boolean }) {
  if (!certain)
    return (
      <strong>
        {nameOf(cause) === cause.event.title ? null : `${nameOf(cause)}: `}
        <bdi>{cause.event.title}</bdi>
      </strong>
    );
  return <strong>{cause.ci === null ? nameOf(cause) : <CiName id={cause.ci.id} name={cause.ci.name} />}</strong>;
}

function Bound({ cause }: { readonly cause: Cause }) {
  const { binding } = cause.event;
  const words = [
    ...(cause.ci === null ? ['no CI known'] : [plain(cause.ci.type).toLowerCase()]),
    ...(binding === undefined ? [] : [`bound by ${binding.method}, ${percent(binding.confidence)}`]),
  ];
  return <span className={classes.dim}>{words.join(' · ')}</span>;
}

function Others({ cause, certain }: { readonly cause: Cause; readonly certain: boolean }) {
  const others = cause.alternatives.slice(0, certain ? ALTERNATIVES : 1);
  if (others.length === 0) return null;
  return (
    <p className={classes.others}>
      <span className={classes.dim}>{certain ? 'Then: ' : 'Or: '}</span>
      {others.map(({ eventId, ciName, title, score }, at) => (
        <span key={eventId} title={title ?? undefined}>
          {at === 0 ? '' : ', '}
          {certain ? (ciName ?? title) : (title ?? ciName)} <span className={classes.dim}>{score.toFixed(2)}</span>
        </span>
      ))}
    </p>
  );
}

/** `first, 12 s ahead`, `12 s after the first`. */
const earlyWords = ({ timeSpan }: GroupDetailShown, { aheadMs, event }: Cause): string => {
  if (aheadMs !== null) return aheadMs < 1_000 ? 'first' : `first, ${duration(aheadMs)} ahead`;
  const late = Date.parse(event.timestamp) - Date.parse(timeSpan.start);
  return late < 1_000 ? 'first' : `${duration(late)} after the first`;
};

/** Facts behind the parts of the score: `25 of 30 CIs`, `link down`. */
const factsOf = (group: GroupDetailShown, cause: Cause): Readonly<Record<keyof typeof PART_WORDS, string>> => {
  const others = group.cis.count - (cause.ci === null ? 0 : 1);
  return {
    coverage:
      others === 0 ? '' : `${number(cause.explains.length)}${cause.explainsMore ? '+' : ''} of ${count(others, 'CI')}`,
    earliness: earlyWords(group, cause),
    severity: SEVERITY_WORDS[cause.event.severity].toLowerCase(),
    knownPattern: cause.pattern === null ? '' : PATTERN_WORDS[cause.pattern],
  };
};

/** Why the server takes this event for the cause. */
export function CausePanel({ group }: { readonly group: GroupDetailShown }) {
  const { cause } = group;
  const certain = isCertain(group);
  if (cause === null)
    return (
      <Panel title="Cause not certain">
        <p className={`${classes.cause} ${classes.text}`}>
          No event of this group stands out: none lies upstream of the others or came clearly first.
        </p>
      </Panel>
    );
  const explained = cause.explains.map(({ name }) => name ?? 'a CI that is gone');
  return (
    <Panel title={certain ? 'Why this cause' : 'Cause not certain'} end={<Confidence value={cause.confidence} />}>
      <div className={classes.cause}>
        <p className={classes.causeName}>
          <Name cause={cause} certain={certain} /> <Bound cause={cause} />
        </p>
        <p className={classes.text}>
          {plain(reasonWords(cause.reasoning))}.
          {explained.length === 0
            ? ' It explains no other CI.'
            : ` It explains ${explainedWords(explained.length, cause.explainsMore)}: ${names(explained, explained.length, 4)}.`}
        </p>
        {cause.parts === null ? null : (
          <ScoreBars
            most={MOST_PART}
            bars={(Object.keys(PART_WORDS) as (keyof typeof PART_WORDS)[]).map((part) => ({
              words: PART_WORDS[part],
              value: cause.parts?.[part] ?? 0,
              fact: factsOf(group, cause)[part],
            }))}
          />
        )}
        <Others cause={cause} certain={certain} />
      </div>
    </Panel>
  );
}
