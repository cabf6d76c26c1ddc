/** Words by which senders report the state of a problem, as far as they have one meaning everywhere. */

export type ToldState = 'problem' | 'over' | 'acknowledged' | 'unacknowledged' | 'suppressed' | 'unsuppressed';

const WORDS: readonly (readonly [ToldState, string])[] = [
  [
    'problem',
    'firing fired triggered trigger alerting alert alarm problem opened open raised active ongoing down critical crit fatal warning warn error failed failing failure fail unhealthy offline unreachable unavailable degraded trouble broken bad red yellow timeout new created activated breached lost nodata overdue missing incident impacted notok unresolved reopened',
  ],
  [
    'over',
    'resolved resolve recovered recovery recovering closed close cleared clear ok okay up healthy inactive normal backtonormal completed complete succeeded success successful ended end fixed done restored deactivated cancelled canceled expired green online running available operational passed passing pass good fine over finished mitigated solved stable connected reachable alive autoresolved notfiring nolongeractive',
  ],
  ['acknowledged', 'acknowledged acknowledge acked ack'],
  ['unacknowledged', 'unacknowledged unacknowledge unacked unack'],
  ['suppressed', 'suppressed muted silenced snoozed inhibited maintenance downtime'],
  ['unsuppressed', 'unsuppressed unmuted unsilenced unsnoozed'],
];
const TOLD: ReadonlyMap<string, ToldState> = new Map(
  WORDS.flatMap(([told, words]) => words.split(' ').map((word) => [word, told] as const)),
);

/** The meaning of a word, in any case and with any signs in it; undefined when it is not known. */
export const toldBy = (word: string): ToldState | undefined =>
  TOLD.get(
    word
      .slice(0, 100)
      .toLowerCase()
      .replace(/[^\p{L}\d]/gu, ''),
  );
