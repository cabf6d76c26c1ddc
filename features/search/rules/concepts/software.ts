import { type Concept, concept, FAILED, GONE } from './concept.ts';

/** Programs, what they run on, and what users see of them. */
export const SOFTWARE: readonly Concept[] = [
  concept(
    'service-down',
    `service|services|daemon|process|processes|agent|application|app|program|instance|website|site|portal ${GONE}|stopped|inactive|died|exited|terminated|killed|not|outage|crashed|failed|dies`,
    'outage|outages',
  ),
  concept(
    'crash',
    'crash|crashed|crashes|crashing|coredump|segfault|segmentation|sigsegv|sigkill|sigabrt|died|aborted',
    'core dump|dumped',
    'exit|exited code|status',
    'terminated|stopped|exited|ended unexpectedly|abnormally',
  ),
  concept(
    'restart-loop',
    'crashloopbackoff|crashloop|backoff|restartloop',
    'crash loop|looping',
    'restart|restarts|restarting|restarted|rebooting|crashing loop|repeatedly|again|times|often|keeps|constantly|frequently|many|endlessly|over',
    'back off',
  ),
  concept(
    'hang',
    'hang|hangs|hung|hanging|frozen|freeze|freezes|stuck|unresponsive|stalled|stall',
    'not|stopped responding|responsive|answering',
  ),
  concept(
    'thread-pool',
    'thread|threads|worker|workers|threadpool exhausted|pool|busy|full|limit|starved|starvation|stuck|blocked|all',
    'threadpool',
  ),
  concept('garbage-collection', 'gc|garbage', 'stop world'),
  concept('zombie', 'zombie|zombies|defunct'),
  concept('container', 'container|containers|docker|pod|pods|kubernetes|k8s|kubelet|openshift|containerd|kube'),
  concept('node-not-ready', 'node|nodes|kubelet ready|unhealthy|unready|notready|cordoned|drained', 'notready'),
  concept('image-pull', 'imagepullbackoff|errimagepull', 'image|images pull|pulling|pulled|registry'),
  concept(
    'pod-pending',
    'unschedulable|evicted|eviction|evictions',
    'pod|pods|deployment|replicas pending|scheduled|unavailable|scheduling',
    'insufficient cpu|memory|resources',
  ),
  concept(
    'slow-response',
    'slow|slowly|slowness|sluggish|latency|lag|laggy|lagging|slower|p95|p99',
    'response|responses|request|requests|page|load|loading time|times|duration|slow',
    'takes|taking long|longer|forever',
    'degraded|poor|bad performance',
    'high delay',
  ),
  concept(
    'website',
    'website|websites|site|web|webpage|homepage|webserver|portal|url|webshop|shop|http|https|nginx|apache|iis',
  ),
  concept(
    'server-error',
    '500|502|503|504|5xx|5xxs',
    'internal error',
    'bad gateway',
    'service unavailable',
    'gateway timeout|timed',
    'error rate|ratio|errors|budget',
    'http error|errors|status',
    'exception|exceptions|traceback|stacktrace',
  ),
  concept('not-found', '404|enoent', 'page|file|object|resource found|missing'),
  concept('api', 'api|apis|endpoint|endpoints|grpc|graphql|rest|soap|webservice'),
  concept(
    'rate-limit',
    '429|throttle|throttled|throttling',
    'rate limit|limits|limited|limiting',
    'too many requests',
    'quota exceeded|reached|exhausted',
  ),
  concept(
    'queue-backlog',
    'queue|queues|kafka|rabbitmq|mq|topic|consumer|consumers|jms|sqs|broker|messages|message lag|lagging|length|depth|growing|grows|full|behind|stuck|piling|pile|unacked|high|large|long|exceeded|waiting|unprocessed|undelivered',
    'backlog|backlogs|backlogged|dlq',
    'dead letter|letters',
  ),
  concept(
    'message-broker',
    'kafka|rabbitmq|activemq|mq|jms|broker|brokers|sqs|nats|pulsar',
    'message|messages|messaging queue|queues|bus|broker',
  ),
  concept(
    'job-failed',
    `job|jobs|batch|cron|task|tasks|scheduled|etl|import|export|pipeline|workflow ${FAILED}|missed|stuck|late|overrun|overdue|not|never`,
    'cronjob|crontab|cron',
  ),
  concept(
    'email',
    'mail|mails|email|emails|smtp|imap|exchange|postfix|outlook|mailbox|mailboxes|mailserver|sendmail|newsletter',
    'e mail|mails',
  ),
  concept('printing', 'printer|printers|print|printing|toner|spooler'),
  concept(
    'deployment',
    'deploy|deployed|deployment|deployments|release|released|releases|rollout|rollback|upgrade|upgraded|update|updated|patched|deploys',
  ),
  concept(
    'configuration',
    'config|configuration|configurations|misconfigured|misconfiguration|settings|setting|parameter|parameters',
  ),
  concept('licence', 'license|licence|licenses|licences|licensing|licensed|entitlement'),
  concept(
    'payment',
    'payment|payments|checkout|billing|invoice|invoices|card|cards|paypal|psp|purchase|purchases|buy|pay|order|orders|basket|cart',
  ),
  concept(
    'health-check',
    'unhealthy|liveness|readiness|healthcheck|healthchecks',
    'health|probe|probes check|checks|fail|failed|failing|failure',
  ),
  concept(
    'no-data',
    'nodata',
    'no data|metrics|logs|samples|reports',
    `metrics|metric|data|agent|agents|monitoring|telemetry|exporter|collector|sensor|scrape ${GONE}|stale|gap|absent|stopped|silent|not|reporting|failed`,
  ),
  concept('log', 'log|logs|logging|logfile|syslog|journald|logrotate'),
];
