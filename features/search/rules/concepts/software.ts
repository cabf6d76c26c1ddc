import { type Concepts, FAILED, GONE } from './concept.ts';

/** Programs, what they run on, and what users see of them. */
export const SOFTWARE: Concepts = {
  'service-down': [
    `service|services|daemon|process|processes|agent|application|app|program|instance|website|site|portal ${GONE}|stopped|inactive|died|exited|terminated|killed|not|outage|crashed|failed|dies`,
    'outage|outages',
  ],
  crash: [
    'crash|crashed|crashes|crashing|coredump|segfault|segmentation|sigsegv|sigkill|sigabrt|died|aborted',
    'core dump|dumped',
    'exit|exited code|status',
    'terminated|stopped|exited|ended unexpectedly|abnormally',
  ],
  'restart-loop': [
    'crashloopbackoff|crashloop|backoff|restartloop',
    'crash loop|looping',
    'restart|restarts|restarting|restarted|rebooting|crashing loop|repeatedly|again|times|often|keeps|constantly|frequently|many|endlessly|over',
    'back off',
  ],
  hang: [
    'hang|hangs|hung|hanging|frozen|freeze|freezes|stuck|unresponsive|stalled|stall',
    'not|stopped responding|responsive|answering',
  ],
  'thread-pool': [
    'thread|threads|worker|workers|threadpool exhausted|pool|busy|full|limit|starved|starvation|stuck|blocked|all',
    'threadpool',
  ],
  'garbage-collection': ['gc|garbage', 'stop world'],
  zombie: ['zombie|zombies|defunct'],
  container: ['container|containers|docker|pod|pods|kubernetes|k8s|kubelet|openshift|containerd|kube'],
  'node-not-ready': ['node|nodes|kubelet ready|unhealthy|unready|notready|cordoned|drained', 'notready'],
  'image-pull': ['imagepullbackoff|errimagepull', 'image|images pull|pulling|pulled|registry'],
  'pod-pending': [
    'unschedulable|evicted|eviction|evictions',
    'pod|pods|deployment|replicas pending|scheduled|unavailable|scheduling',
    'insufficient cpu|memory|resources',
  ],
  'slow-response': [
    'slow|slowly|slowness|sluggish|latency|lag|laggy|lagging|slower|p95|p99',
    'response|responses|request|requests|page|load|loading time|times|duration|slow',
    'takes|taking|runs|running|run long|longer|forever',
    'longer than|normal|usual|expected',
    'degraded|poor|bad performance',
    'high delay',
  ],
  website: ['website|websites|site|web|webpage|homepage|webserver|portal|url|webshop|shop|http|https|nginx|apache|iis'],
  'server-error': [
    '500|502|503|504|5xx|5xxs',
    'internal error',
    'bad gateway',
    'service unavailable',
    'gateway timeout|timed',
    'error rate|ratio|errors|budget',
    'http error|errors|status',
    'exception|exceptions|traceback|stacktrace',
  ],
  'not-found': ['404|enoent', 'page|file|object|resource found|missing'],
  api: ['api|apis|endpoint|endpoints|grpc|graphql|rest|soap|webservice'],
  'rate-limit': [
    '429|throttle|throttled|throttling',
    'rate limit|limits|limited|limiting',
    'too many requests',
    'quota exceeded|reached|exhausted',
  ],
  'queue-backlog': [
    'queue|queues|kafka|rabbitmq|mq|topic|consumer|consumers|jms|sqs|broker|messages|message lag|lagging|length|depth|growing|grows|full|behind|stuck|piling|pile|unacked|high|large|long|exceeded|waiting|unprocessed|undelivered',
    'backlog|backlogs|backlogged|dlq',
    'dead letter|letters',
  ],
  'message-broker': [
    'kafka|rabbitmq|activemq|mq|jms|broker|brokers|sqs|nats|pulsar',
    'message|messages|messaging queue|queues|bus|broker',
  ],
  'job-failed': [
    `job|jobs|batch|cron|task|tasks|scheduled|etl|import|export|pipeline|workflow ${FAILED}|missed|stuck|late|overrun|overdue|not|never`,
    'cronjob|crontab|cron',
  ],
  email: [
    'mail|mails|email|emails|smtp|imap|exchange|postfix|outlook|mailbox|mailboxes|mailserver|sendmail|newsletter',
    'e mail|mails',
  ],
  printing: ['printer|printers|print|printing|toner|spooler'],
  deployment: [
    'deploy|deployed|deployment|deployments|release|released|releases|rollout|rollback|upgrade|upgraded|update|updated|patched|deploys',
  ],
  configuration: [
    'config|configuration|configurations|misconfigured|misconfiguration|settings|setting|parameter|parameters',
  ],
  licence: ['license|licence|licenses|licences|licensing|licensed|entitlement'],
  payment: [
    'payment|payments|checkout|billing|invoice|invoices|card|cards|paypal|psp|purchase|purchases|buy|pay|order|orders|basket|cart|transaction|transactions|authorisation|authorisations|authorization|settlement|sepa|swift',
  ],
  'point-of-sale': [
    'pos|till|tills|eftpos',
    'point sale',
    'cash|card register|registers|terminal|terminals|reader|readers',
  ],
  'bad-release': [
    `deploy|deployed|deployment|deployments|release|released|releases|rollout|upgrade|update|version ${FAILED}|wrong|broke|regression|rollback|rolled|reverted|revert|bug|bugs|issue|problem`,
    'rollback|rollbacks|reverted',
    'rolled back',
  ],
  'not-working': [
    'not|stopped work|works|working|worked|functioning|operational',
    `lost|down|offline|unreachable|failed|unavailable connection|host|service|session|link|terminal`,
    'out order|service',
  ],
  'end-of-day': [
    'eod',
    'end day',
    'month|year|quarter end|close|closing',
    'nightly|overnight batch|run|job|jobs|processing',
  ],
  'health-check': [
    'unhealthy|liveness|readiness|healthcheck|healthchecks',
    'health|probe|probes check|checks|fail|failed|failing|failure',
  ],
  'no-data': [
    'nodata',
    'no data|metrics|logs|samples|reports',
    `metrics|metric|data|agent|agents|monitoring|telemetry|exporter|collector|sensor|scrape ${GONE}|stale|gap|absent|stopped|silent|not|reporting|failed`,
  ],
  log: ['log|logs|logging|logfile|syslog|journald|logrotate'],
};
