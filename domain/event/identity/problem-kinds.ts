import { type KnownPattern, words } from './known-patterns.ts';

/** Messages of clients that cannot resolve names. */
const UNRESOLVED = ['(?:could|can) ?not resolve', 'unable to resolve', 'nxdomain', 'servfail', 'name resolution'];
/** Share of requests that are answered. */
const UNAVAILABLE = ['availability', 'success rate', 'requests failed', 'failed requests'];

/** Kinds in order of matching: the first match wins. */
export const KINDS: readonly (readonly [ProblemKind['kind'], RegExp])[] = [
  [
    'down',
    words(
      'down|un(?:reachable|available|responsive|healthy)|offline',
      'not (?:available|reachable|responding|running|ready)|notready|no (?:response|data|space left)',
      'full|oom(?: ?kill(?:ed|er|s)?)?|out ?of ?memory(?: ?error)?|exhausted|refused|killed|panic',
      'crash(?:ed|es|ing)?|crash ?loop(?:ing| ?back ?off)?|outage|stopped|terminated|hung|dead',
      'disappeared|heartbeat|expired|shut(?:ting)? down',
    ),
  ],
  [
    'latency',
    words(
      'latency|slow(?:er|ness|ly)?|(?:response|request|query) (?:times?|duration)|time(?:outs?|d ?out)',
      'p(?:90|95|99)|percentile|lag(?:ging)?|delay(?:ed|s)?|backlog|queue|saturat(?:ed|ion)',
      'overload(?:ed)?|throttl(?:ed|ing)|load(?: average)?|cpu|iowait|apdex|degraded',
    ),
  ],
  [
    'errors',
    words(
      'errors?|exceptions?|[45]xx|50[0-9]|fail(?:ed|ure|ures|ing|s)?|denied|forbidden|unauthorized',
      'invalid|rejected|aborted|deadlocks?|corrupt(?:ed|ion)?|dropped|packet loss',
      ...UNRESOLVED,
      ...UNAVAILABLE,
    ),
  ],
  [
    'traffic',
    words('traffic', 'requests?', 'throughput', 'rps', 'qps', 'bandwidth', 'sessions', 'connections', 'spike', 'surge'),
  ],
];

/** Errors named beside a time are errors: a rate of 5xx, not a slow reply. */
export const CLEAR_ERRORS = words('errors?', 'exceptions?', '5xx', '50[0-9]', ...UNAVAILABLE);

/** Kind of a problem and known cause, by the words of its title. */
export interface ProblemKind {
  readonly kind: 'down' | 'errors' | 'latency' | 'traffic' | 'unknown';
  readonly known: KnownPattern | null;
}
