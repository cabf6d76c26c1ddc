import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';
import { blocksOf, rowsOf } from '#test/setup/text-table.ts';

/* Questions of a shift: comparisons, people, silences, times, repeats, names that are mistyped, and what follows them. */

const [MINUTE, HOUR] = [60_000, 3_600_000];

let app: TestApp;
let token: string;
let group = '';
const ids: Record<string, string> = {};
const { send, ci, join } = infrastructureOf(() => ({ app, token }));

const estate = async (): Promise<void> => {
  for (const name of ['fra1', 'dub3']) ids[name] = await ci(name, { type: 'site' });
  for (const name of ['fra1-core-01', 'fra1-core-02', 'fra1-print-01', 'dub3-core-01', 'dub3-web-01'])
    ids[name] = await ci(name, { attributes: { site: name.slice(0, 4) } });
  for (const name of ['pg-orders', 'storefront', 'checkout', 'payments', 'intranet'])
    ids[name] = await ci(name, {
      type: 'application',
      attributes: { team: name === 'intranet' ? 'workplace' : 'shop' },
    });
  await join(ids.storefront!, ids.checkout!);
  await join(ids.checkout!, ids['pg-orders']!);
  await join(ids.intranet!, ids['dub3-core-01']!);
  const chain = ['mail', 'mail-db', 'mail-host', 'mail-array', 'mail-rack'];
  for (const [at, name] of chain.entries()) {
    ids[name] = await ci(name, { type: at === 4 ? 'rack' : at === 3 ? 'storage_array' : 'application' });
    if (at > 0) await join(ids[chain[at - 1]!]!, ids[name]!);
  }
  const { body: gone } = await join(ids.payments!, ids['fra1-core-02']!);
  await send('DELETE', `/v1/cmdb/relationships/${gone.id}`);
  for (const [name, part] of [
    ['Web Shop', 'storefront'],
    ['Card Payments', 'payments'],
  ])
    await send('POST', '/v1/services', {
      name,
      criticality: 'critical',
      components: [{ ci_id: ids[part!], role: 'app' }],
    });
};

const event = async (title: string, hostname: string, severity: string, ago: number, more: object = {}) => {
  app.clock.set(START - ago);
  const sent = { source: 'nagios', sourceId: `${title}${hostname}`, severity, title, hostname, ...more };
  return (await send('POST', '/api/events/ingest', sent)).body.eventId as string;
};
const over = { status: 'resolved' };

const day = async (): Promise<void> => {
  await event('LUN latency', 'mail-array', 'critical', 8.34 * HOUR, { source: 'array' });
  await event('Mail is slow', 'mail', 'major', 8.1 * HOUR, { source: 'array' });
  await event('LUN latency', 'mail-array', 'critical', 8.05 * HOUR, { source: 'array', ...over });
  await event('Disk space low', 'fra1-core-01', 'warning', 9 * HOUR, { source: 'zabbix' });
  await event('Jobs fail', 'payments', 'critical', 6 * HOUR);
  await event('Jobs fail', 'payments', 'critical', 5 * HOUR, over);
  for (const n of [0, 1, 2, 3]) {
    await event('Port flaps', 'fra1-core-02', 'warning', (240 - 10 * n) * MINUTE, { source: 'zabbix' });
    await event('Port flaps', 'fra1-core-02', 'warning', (236 - 10 * n) * MINUTE, { source: 'zabbix', ...over });
  }
  await event('Disk full', 'pg-orders', 'critical', 90 * MINUTE);
  await event('Errors 500', 'checkout', 'major', 89 * MINUTE);
  await event('Page is slow', 'storefront', 'major', 88 * MINUTE);
  await event('Link down', 'dub3-core-01', 'critical', 3 * HOUR);
  await event('Home page fails', 'intranet', 'major', 20 * MINUTE);
};

beforeAll(async () => {
  app = await openTestApp();
  app.clock.set(START - 10 * HOUR);
  token = await app.tenant('on-call');
  await estate();
  await day();
  await app.app.idle();
  app.clock.set(START);
  const { groups } = (await send('GET', '/api/events/groups')).body;
  group = groups.find(({ eventCount }: { eventCount: number }) => eventCount > 1).correlationId;
  const user = { username: 'raj', name: 'Raj Patel', password: 'correct horse battery 9', role: 'operator' };
  const raj = (await send('POST', '/api/admin/users', user)).body.data.id;
  await send('PUT', `/api/events/groups/${group}/assignee`, { user_id: raj });
  await send('POST', `/api/events/groups/${group}/notes`, { text: 'vendor called' });
  const [night, day_] = await Promise.all(
    ['Night Team', 'Day Team'].map(async (name) => (await send('POST', '/v1/teams', { name, members: [] })).body.id),
  );
  await send('PUT', `/api/on-call/${night}`, { after_minutes: 20, next_team: day_ });
  const silence = (matcher: object, from: number, reason: string) => {
    const [startsAt, endsAt] = [from, from + 2 * HOUR].map((at) => new Date(START + at).toISOString());
    return send('POST', '/api/events/silences', { matcher, startsAt, endsAt, reason });
  };
  await silence({ host: 'fra1-print-*' }, 0, 'printer is replaced');
  await silence({ ciId: ids['dub3-web-01'] }, HOUR, 'upgrade');
  await send('PUT', `/v1/cmdb/ci/${ids['fra1-core-01']}`, { status: 'maintenance' });
  await app.app.idle();
});
afterAll(() => app.stop());

const asked = async (message: string, conversationId?: string, currentGroup?: string): Promise<string> => {
  const { status, body } = await send('POST', '/api/chatbot', {
    message,
    ...(conversationId && { conversationId }),
    ...(currentGroup && { context: { currentGroup } }),
  });
  expect([message, status, body.error]).toEqual([message, 200, undefined]);
  for (const { href } of body.citations) expect([href, (await send('GET', href)).status]).toEqual([href, 200]);
  return body.response;
};

test.each(
  rowsOf(`
    zabbix vs nagios, who sends more? => nagios: more: events since 13 Nov, 10:00 UTC: zabbix 5 (5 warning); nagios 6
    is fra1 worse off than dub3? => No, better: open events: fra1 1 (1 warning); dub3 1 (1 critical).
    more alerts between 4 and 5 or between 8 and 9? => 04:00 UTC to 05:00 UTC
    checkout vs payments: which one had more incidents => groups since 13 Nov, 10:00 UTC: checkout 1 (1 critical); payments 0.
    was the night quieter before or after 5:00? => from 01:00 UTC to 05:00 UTC: fewer: events: from 01:00 UTC to 05:00 UTC
    5-6 vs 8-9 => events: from 05:00 UTC to 06:00 UTC
    is it worse than yesterday? => Can't be compared: data begin 01:00 UTC
    is web shop in worse shape than card payments => Yes: Web Shop is
    nagios or zabbix, who shouts more today => nagios: more: events since 00:00 UTC: nagios 6
    worst site today => dub3: worse: events since 00:00 UTC: dub3 1 (1 critical); fra1
    compare checkout and mailer-9 => Not found: "mailer-9"
    whats assigned to raj => 1 unresolved group or event is assigned to Raj Patel. Critical: "Disk full" on pg-orders
    groups nobody owns => are unassigned. Critical: "Link down" on dub3-core-01
    anything critical still unassigned? => 1 unresolved critical group or event is unassigned.
    list unacked criticals => 2 unacknowledged critical events.
    is anyone looking at checkout => Raj Patel: "Disk full" on pg-orders is assigned to them.
    anything acked by raj? => No acknowledgement by Raj Patel is recorded since data begin
    any notes on pg-orders => 1 note on pg-orders since data begin
    notes on {group}? => "vendor called"
    did anybody leave a note today? => 1 note since 00:00 UTC.
    any notes on payments => No note is recorded on payments since data begin
    is fra1-print-01 silenced, until when and why => Yes: fra1-print-01 is silenced now. Silence of host fra1-print-*, until 12:00 UTC, by test: "printer is replaced".
    whats silenced rn => 2 silences and maintenances active now.
    silences that end today => 2 silences and maintenances ending today. Silence of dub3-web-01
    which silences expire tomorrow => No silence or maintenance is ending tomorrow. Silence of host fra1-print-*
    how do I silence dub3-web-01 => Select Silence… on dub3-web-01, or on an event or group, or Create silence at /silences
    how can we mute disk alerts? => By API: POST /api/events/silences.
    is dub3-web-01 muted => Not now: silence of dub3-web-01 is planned. Silence of dub3-web-01, planned from 11:00 UTC until 13:00 UTC
    is payments muted? => No: no silence of payments is active or planned.
    is anything on fra1 muted => In part: fra1 is silenced now.
    anything in maintenance now? => 1 maintenance active now. Maintenance of fra1-core-01, without an end, by a token or a user that is not in this tenant.
    any maintenance planned for tonight => Yes: 1 silence or maintenance planned tonight. Silence of dub3-web-01, planned from 11:00 UTC until 13:00 UTC, by test: "upgrade".
    is anything planned for tomorrow => No silence or maintenance is planned tomorrow. Silence of host fra1-print-*
    is dub3-web-01 in maintenence now => No: no maintenance of dub3-web-01 is active now. Silence of dub3-web-01
    payments last night? => 1 event on payments from 19 Nov, 18:00 UTC to 06:00 UTC, 1 critical or major.
    was payments ok at 4:30 => No: 1 event on payments
    was dub3-core-01 ok at 9:00 => No: 1 event on dub3-core-01 at 09:00 UTC, 1 critical or major.
    was checkout down at 9:00 => 1 event on checkout at 09:00 UTC, 1 critical or major.
    was payments ok at 5:30 => Yes: no event was open on payments at 05:30 UTC. "Jobs fail" on payments
    was checkout ok at 19:00? => Not known: no data before 01:00 UTC, which is after
    what was broken at 8:00 => "Link down" on dub3-core-01
    since when is dub3-core-01 down => "Link down" on dub3-core-01: critical, open, since 07:00 UTC, 3h ago.
    how long was payments broken => No event is open on payments. "Jobs fail" on payments: critical, resolved, 04:00 UTC to 05:00 UTC (1h).
    which business services are hit right now => 1 of 2 services is not healthy: Web Shop (critical).
    will pg-orders run out of disk before the morning? => Not known: nothing here forecasts. pg-orders has 1 open event
    can i ignore the "Disk space low" warnings? => That decision is yours: 1 event is open about "disk space low". "Disk space low" on fra1-core-01: warning
    when did the disk fill up and what broke => "Disk full" on pg-orders: since 08:30 UTC, 1h 30m ago, still open.
    oldest open critical => "Link down" on dub3-core-01: critical, open, since 07:00 UTC, 3h ago. "Disk full"
    longest running open problem => "Disk space low" on fra1-core-01: warning, open, since 01:00 UTC, 9h ago.
    what flapped today => ended and returned within an hour, more than once. "Port flaps" on fra1-core-02: began 4 times
    which service got hit hardest today => Most affected since 00:00 UTC: Web Shop. Web Shop: affected for 1h 30m by 1 incident, 1 critical. Card Payments
    fra1-core-07 => No CI found named "fra1-core-07" among 17 CIs, and no event has that host. Did you mean fra1-core-01 or fra1-core-02?
    how is fra1-cora-01 doing => Read "fra1-cora-01" as fra1-core-01.
    paymnts => Read "paymnts" as payments. payments has no open events.
    storefront => storefront has 1 open event: 1 major.
    what happend between 4 and 5 => "Jobs fail" on payments
    which servers are in dub3 => 2 CIs of type server in dub3, of 5 in all: dub3-core-01 and dub3-web-01.
    how many servers per site => 5 CIs of type server by site: fra1 3 and dub3 2.
    which servers had no alerts today => 2 CIs of type server without an event since 00:00 UTC, of 5 in all
    which apps belong to team workplace => 1 CI of type application with team workplace, of 8 in all: intranet.
    which apps have no team => 3 CIs of type application without team, of 8 in all
    which apps need pg-orders => 2 CIs of type application that need pg-orders
    who looks after intranet => intranet: team workplace.
    is the server in dub3 ok => No: 1 open event on 1 of 2 CIs of server in dub3: dub3-core-01.
    how many alerts are open on dub3 => 1 open event.
    any warnings on space disks => 1 open warning event about "space disks". "Disk space low" on fra1-core-01
    what is web shop made of => Web Shop has 1 component: storefront (application).
    what do storefront and checkout have in common => Yes: storefront and checkout share pg-orders (application).
    how often did payments fail today => 1 event on payments since 00:00 UTC: "Jobs fail" 1.
    is payments slower than yesterday => Not known: measurements are not recorded here
    what changed on intranet => "relationship intranet depends_on dub3-core-01 created in the CMDB" on intranet
    what changed on payments => "relationship payments depends_on fra1-core-02 removed from the CMDB" on payments
    what depends on pg-orders => 1 CI depends directly on pg-orders: checkout. 1 more CI depends indirectly on pg-orders, within 3 hops: storefront.
    why is intranet failing => "Link down"
    was web shop ok at 9:00 => No: Web Shop was critical at 09:00 UTC, health
    which services were down at 9:00 => 1 of 2 services not healthy at 09:00 UTC: Web Shop (critical
    how long was web shop down today => Web Shop was at worst critical since 01:00 UTC
    which app had the most alerts today => Events since 00:00 UTC: checkout 1, of
    top 3 incidents today => the most important first. Critical: "Disk full" on pg-orders
    second longest incident today => No second group of several events fits since 00:00 UTC.
    what percentage of alerts were critical today => : 4 of
    anything rolled out since 3 => No deployments recorded since 03:00 UTC.
    do storefront and checkout run on the same host => Not known: no host is recorded for
    is pg-orders a single point of failure? => Yes: no redundancy of pg-orders is recorded. If pg-orders fails, 2 CIs are impacted: checkout and storefront.
    is mail a spof => No: nothing fails with mail alone
    single point of failure for web shop => the nearest first: storefront, checkout and pg-orders.
    which alerts could we just turn off => Alerts that repeat most since data begin
    morning, whats still burning? => incidents now
    did anyone say a root cause was wrong? => No verdict is recorded
    will the rebuild on pg-orders be done by 1pm? => Not known: nothing here forecasts. pg-orders has 1 open event
    why did half of payments go down around 4 => "Jobs fail" on payments
    is fra1-core-01 redundant => Not needed, as far as is recorded: nothing fails with fra1-core-01 alone.
    what is just noise here => Alerts that repeat most since data begin
    which checks does nobody ever ack => were neither acknowledged nor assigned
    what dies if i pull the plug on pg-orders => If pg-orders fails, 2 CIs are impacted
    whats mail-db running on => mail-db depends directly on 1 CI: mail-host.
    where does mail-db run => mail-db depends directly on 1 CI: mail-host.
    who rebooted pg-orders at 9? => Not known: no event, change or note says that anyone rebooted pg-orders from 08:30 UTC to 09:30 UTC. "Disk full" on pg-orders
    since fra1-print-01 crashed, how many apps are hit => No event says that fra1-print-01 crashed
    how many apps are hit by the fra1-print-01 crash => No event says that fra1-print-01 had a crash
    what happens if nobody acks a network thing => Night Team: after 20 minutes without an acknowledgment, its groups are assigned to Day Team. On call: not known, no calendar is set.
    who gets paged if night team doesnt answer => Night Team: after 20 minutes without an acknowledgment, its groups are assigned to Day Team.
    whos on call right now => On call for Day Team: not known, no calendar is set; its groups are not escalated.
    what do i need to tell the next shift => incidents now
    show me the storefront incident => root cause: "Disk full" on pg-orders
    what did ppl write on the checkout one => "vendor called"
    anything written on the checkout one => "vendor called"
    how do i tell the thing its root cause is rubbish => mark it as wrong and select the right event
    where is it just guessing the cause => a root cause of less than 50% confidence, or none.
    show events that are not closed => 7 open events.
    disks filling up anywhere? => "Disk full" on pg-orders
    what broke in the last 2 hours => began since 08:00 UTC
    what changed on payments before 1am => from 00:00 UTC to 01:00 UTC
    what broke this mornign => incidents began since 00:00 UTC
    why are "Page is slow" and the disk alerts lumped together => "Page is slow" on storefront is in one incident of 3 events
    which incidents were only in dub3 => 1 incident only in dub3
    what do fra1-core-01 and dub3-core-01 have in common => Nothing in common found: fra1-core-01 and dub3-core-01 share no dependency within 4 hops, no service, and no incident of the last 30 days. The same: type server.
    what did the disk full thing and the mail trouble have in common => Nothing in common found: "Disk full" on pg-orders and
    what do mail and mail-db share? => One depends on the other: on mail-db. Yes: mail and mail-db share mail-host
    was everything fine last week? => Not known: no data before 01:00 UTC
    was web shop ok last week => Not known: no data before 01:00 UTC
    which servers had no alerts last week => Not known: no data before 01:00 UTC
    any deployments last week => Not known: no data before 01:00 UTC
    who is on duty in dublin => Ignored: "dublin". On call for
    is the dublin site ok => No: 1 open event on 1 of
    how many open events per site => open events: dub3 1
    can I go for lunch? => No:
    what happens when nobody acks the checkout incident => Night Team: after 20 minutes
    would web shop survive if pg-orders dies => Yes: Web Shop would fail with pg-orders alone.
    do we lose payments if pg-orders fails => No, as far as is recorded: payments would not fail with pg-orders alone.
    any alerts without a ci => open unbound event
    any alerts from nosuch => Not known: condition: no match for nosuch.
    did anything recover this morning? => resolved events since 00:00 UTC
    most affected service today => Most affected since 00:00 UTC: Web Shop.
    list services that depend on pg-orders => 1 service would fail or degrade with pg-orders: Web Shop.
    has the server in dub3 been changed => on server in dub3
    hosts with disk trouble => "Disk full" on pg-orders
    who has the most open incidents => Raj Patel 1
    root cause with the least confidence => of less than 50% confidence
    any alerts from frankfurt? => Read "frankfurt" as fra1. 1 open
    any alerts in general? => Not known: nothing here is called "general"
    any alerts in frankfurt => Read "frankfurt" as fra1.
    is the frankfurt site ok => Read "frankfurt" as fra1.
    anything still open in dublin? => Read "dublin" as dub3. 1 open event on dub3.
    any alerts in paris? => Not known: nothing here is called "paris", and no event mentions it. 7 events are open in all.
    any hail alerts? => Not known: nothing here is called "hail"
    why did raj reboot fra1-core-02? => Not known: no event, change or note says that Raj Patel did this ("reboot") on fra1-core-02
    did raj delete the storage in dublin => Not known: no
    since mail-array crashed how many events were there? => 12 events (2026-11-20 01:39 to 2026-11-20 10:00 UTC).
    how many hosts complained about jobs since 3 => 1 host since 03:00 UTC with "jobs": payments.
    ok to switch off pg-orders? => Not without a maintenance window: if pg-orders is down
    is it okay to pull pg-orders for maintenance now => Not without a maintenance window: if pg-orders is down
    which changes are planned for tonight => 1 silence or maintenance planned tonight.
    any work scheduled for this evening? => Yes: 1 silence or maintenance planned.
    what does storefront need to run => storefront depends directly on 1 CI: checkout.
    why did the pg-orders incident take so many apps with it? => depend on pg-orders, directly or not, and would fail with it: checkout
    just came on shift, whats burning => 5 incidents now
    what is a correlation group, i'm new => Related events with a probable root cause
    why were "Disk full" and checkout lumped together => Yes: "Disk full" on pg-orders is in one incident of 3 events with checkout.
    did anyone say thats wrong => No verdict is recorded
  `),
)('%s => %s', async (message, said) => expect(await asked(message.replace('{group}', group))).toContain(said));

test('reasons and timeline of a group are read for those who show them', async () => {
  const { body } = await send('POST', '/api/chatbot', { message: `why ${group}?` });
  const { result } = body.toolCalls.find(({ tool }: { tool: string }) => tool === 'get_group');
  expect(result[0]).toMatchObject({ why: [], timeline: [], notes: [{ text: 'vendor called' }] });
});

test.each(
  blocksOf(`
  any problems with payments? => No open events on payments.
  since when? => No event is open on payments.
  and since 3:00? => "Jobs fail" on payments: critical, resolved, 04:00 UTC to 05:00 UTC (1h).

  how is checkout doing => Errors 500
  why? => root cause: "Disk full" on pg-orders
  who has it? => Raj Patel
  any notes? => vendor called
  and payments? => payments

  is fra1-print-01 silenced? => until 12:00 UTC
  until when? => until 12:00 UTC

  critical events in dub3 => 1 open critical event on dub3
  only from zabbix => No open critical events on dub3 from zabbix
  and fra1? => No open critical events on fra1 from zabbix

  why is checkout failing => root cause: "Disk full" on pg-orders
  was storefront affected by it => Yes: storefront is in one incident of 3 events that started 08:30 UTC
  and does it hurt payments => Not as far as is known: they are different groups
  which services did it hit => Web Shop
  is it fixed => No: "Disk full" on pg-orders is open since
  any alerts on it? => 1 open event on checkout.

  is checkout down => Errors 500
  how many hosts were hit => 3 hosts. 3 events, 3 CIs, 1 service: the incident that began with "Disk full"
  when did it start and is it over => No: "Disk full" on pg-orders is open since
  which services are affected => By "Disk full" on pg-orders, 08:30 UTC, 1h 30m ago: Web Shop.
  was it rolled back? => Not known: no change was recorded before "Disk full" on pg-orders.

  how is pg-orders => 1 critical
  which applications are affected by that => 2 applications impacted by pg-orders: checkout and storefront.
  how many incidents are open, and how many of those are critical? => 1 open or acknowledged group. 1 critical open or acknowledged group.

  whats assigned to raj => is assigned to Raj Patel
  and to the night team? => No unresolved group or event is assigned to Night Team.
  what is assigned to "Night Team" => No unresolved group or event is assigned to Night Team.

  how many events today => events (2026-11-20 00:00
  how many of them are open => 7 open events (2026-11-20 00:00
  how many cis are there => 17 CIs.

  how many events in the last 2 hours => 4 events (2026-11-20 08:00
  and the 2 hours before? => events (2026-11-20 06:00

  compare fra1 and dub3 since 00:00 => fra1 5
  only criticals => fra1 0; dub3 1 (1 critical)

  which host had the most alerts today => fra1-core-02 4
  and the second? => is second with
  by source => Events since 00:00 UTC

  list open criticals => 2 open critical events.
  group them by host => Open events: dub3-core-01 1, pg-orders 1, of 2 in all.

  whats broken => 5 incidents now
  is the first one over => No: "Disk full" on pg-orders
  who has it and since when is it open => Raj Patel
  are you sure? => confidence that "Disk full" on pg-orders

  whats broken => 5 incidents now
  which of them is the oldest => The oldest of the 5 is "Disk space low" on fra1-core-01.
  and the newest of them => The newest of the 5 is "Home page fails" on intranet.
  why? => "Link down", since 07:00 UTC, 3h ago.

  list open criticals => 2 open critical events.
  oldest of them => "Link down" on dub3-core-01: critical, open, since 07:00 UTC, 3h ago. "Disk full"

  whats silenced => silences and maintenances active or planned
  which of them end tomorrow => No silence or maintenance is ending tomorrow.

  whats silenced => silences and maintenances active or planned
  who set that and why => by test: "printer is replaced"
  anything planned for the weekend => No silence or maintenance is planned at the weekend.

  what silences do we have at the moment => 2 silences and maintenances active now.
  when does it run out => 2 silences and maintenances spoken of, of 3 in all active or planned. Silence of host fra1-print-*, until 12:00 UTC
  who set it and why => 2 silences and maintenances spoken of, of 3 in all
  anythign planned for tonight? => Yes: 1 silence or maintenance planned tonight. Silence of dub3-web-01
  who set it and why => Silence of dub3-web-01
  which of them are active now => Silence of host fra1-print-*

  what silences are active => 2 silences and maintenances active now
  what is planned? => 1 silence or maintenance planned. Silence of dub3-web-01

  how many events between 4 and 5 this morning => 1 event (
  versus 8 to 9 => from 04:00 UTC to 05:00 UTC 1 (1 critical); from 08:00 UTC to 09:00 UTC
  only critical ones => from 04:00 UTC to 05:00 UTC 1 (1 critical); from 08:00 UTC to 09:00 UTC 1 (1 critical)

  is mail-db back up? => Not known: no incident of the last 30 days
  which apps sit on it? => 1 CI of type application that need mail-db, of 8 in all: mail.

  whats assigned to raj => is assigned to Raj Patel
  and night team? => assigned to Night Team

  which checks repeat most today => Port flaps
  which of those does nobody touch => neither acknowledged nor assigned

  critical events in dub3 => 1 open critical event on dub3
  same for fra1 => No open critical events on fra1
  what about yesterday => Not known: no data before 01:00 UTC

  whats broken this morning => incidents
  and the worst one? => is "Disk full" on pg-orders.
  and the oldest one? => is "Disk space low" on fra1-core-01.
  and the worst? => is "Disk full" on pg-orders.
  who has it => Raj Patel
  who else? => beside Raj Patel: test (assigned and note).
  and the longest one => is "Disk space low" on fra1-core-01.

  which open criticals are there => 2 open critical events.
  and the newest one? => "Disk full" on pg-orders: critical, open

  whats assigned to raj => is assigned to Raj Patel
  who else has something => Raj Patel 1

  is dub3-core-01 down => "Link down"
  is web shop ok => Web Shop (critical): critical
  same for card payments => Card Payments (critical): healthy

  is fra1-core-01 ok => 1 open event
  and the other one? => fra1-core-02

  is fra1-core-01 all right => 1 open event
  what relies on the dublin one => 1 CI depends directly on dub3-core-01: intranet

  anything open in dub3 => 1 open event
  is the server ok => of server: dub3-core-01

  which services are not healthy => Web Shop
  and the worst one? => Web Shop (critical): critical
  what about card payments => Card Payments

  what is open in fra1 and dub3 => event
  what do fra1-core-02 and fra1-core-01 share => The same: type server and site fra1.

  can I restart pg-orders => Risk of the restart of pg-orders
  and checkout tonight? => Risk of the restart of checkout at 22:00 UTC
`),
)('a conversation goes on: %j', async (...turns) => {
  const id = `talk-${turns[0]?.[0]?.length}`;
  for (const [message, said] of turns)
    expect([message, await asked(message!, id)]).toEqual([message, expect.stringContaining(said!)]);
});

describe('suspects, relations and what was done', () => {
  beforeAll(async () => {
    const { body } = await send('GET', '/api/events?search=Disk%20space%20low');
    const said = { status: 'acknowledged', notes: 'cleaning up' };
    await send('PATCH', `/api/events/${body.events[0].eventId}/status`, said);
    await app.app.idle();
  });

  test.each(
    rowsOf(String.raw`
  mail is slow!! is it the mail-array again => ^Likely, not proven, but the timing fits: "LUN latency" on mail-array began 14m earlier
  why is mail slow => ^Likely, not proven: "LUN latency" on mail-array
  mail is slow, fra1-core-02 again? => ^Probably not: no event of the incident is on fra1-core-02
  is intranet down because of dub3-core-01? => ^(?:Yes, probably|Possibly)
  intranet is slow. is it dub3-core-01 again? => ^(?:Yes, probably|Possibly)
  was payments hit by the pg-orders incident => ^Not as far as is known: they are different groups
  did the pg-orders incident hit web shop? => ^Yes: pg-orders and Web Shop are in one incident of 3 events
  is the pg-orders incident over => ^No: "Disk full" on pg-orders is open since
  did they have a host down on dub3 today => ^1 event on
  is anything still open from the pg-orders incident => ^Yes: 3 of 3 events
  which services did the pg-orders incident hit => ^By "Disk full" on pg-orders, .*: Web Shop\.
  what is pg-orders and why was it alerting => ^pg-orders is an application.*root cause: "Disk full" on pg-orders
  are mail and pg-orders the same problem => ^Not as far as is known: they are different groups, which began 6h
  are checkout and storefront the same thing? => ^Yes: checkout and storefront are in one incident
  does mail depend on mail-host => ^Yes, indirectly: mail → mail-db → mail-host: 2 hops
  does mail-host depend on mail-array => ^Yes: mail-host depends directly on mail-array
  does mail-array depend on mail => ^No: no dependency leads from mail-array to mail. The dependency is reversed
  does mail depend on payments => ^No: no relationship connects mail and payments
  path from web shop to pg-orders => ^Web Shop → storefront → checkout → pg-orders: 3 hops
  what is the rack of mail-db => ^Rack of mail-db: mail-rack, through mail-host and mail-array\.
  is it ok to reboot checkout => ^Not without a maintenance window: if checkout is down, 1 service has a full outage: Web Shop\. An incident is open on checkout: .* assigned to Raj Patel\. Note by [^,]+, 10:00 UTC: "vendor called"
  any notes on fra1-core-01 => acknowledged \(cleaning up\)
  did raj write anything => ^No note by Raj Patel is recorded
  anything nobody has picked up? => unassigned and unacknowledged.* Unassigned, but acknowledged by [^:]+: "Disk space low" on fra1-core-01\.$
  is anyone on the checkout problem? i see it acked => ^No acknowledgement is recorded
  is anyone on the checkout problem? => ^Raj Patel: "Disk full" on pg-orders is assigned to them\. Note by
  was last night's backup of pg-orders ok => ^Not known: backups are not recorded here
  whats on rajs plate => ^1 unresolved group or event is assigned to Raj Patel
  did an application fail lately => ^Yes: .*"Jobs fail" on payments: critical, resolved
  did pg-orders break something? => ^Yes, probably: 1 incident since data begin .* began on pg-orders
  roll back checkout pls => ^I can only read data
  anything flapping? => ^Nothing flaps now; the last was "Port flaps" on fra1-core-02
  what changed today => Edits in the CMDB are left out: they are listed for a single CI\.$
`),
  )('%s', async (message, said) => expect(await asked(message)).toMatch(new RegExp(said)));

  test('follow the subject of the talk', async () => {
    for (const [message, said] of rowsOf(String.raw`
  why is checkout failing => ^(?:Probable|Possible) root cause: "Disk full" on pg-orders
  did he write anything => ^1 note on "Disk full" on pg-orders\. .*"vendor called"
  could it be something else? => (?:Less likely|Against it: no other)
  did anyone deploy something to checkout before that? => ^No: no change on checkout was recorded in the 6 hours before "Disk full" on pg-orders, .* None either on the 1 CIs?
  how is mail-db => ^mail-db has no open events
  which rack is it in => ^Rack of mail-db: mail-rack
`))
      expect([message, await asked(message!, 'people')]).toEqual([message, expect.stringMatching(said!)]);
  });
});

test('what a user did includes the silences that the user has set', async () => {
  const { token: own } = (await send('POST', '/api/admin/tokens', { name: 'Raj Patel', role: 'operator' })).body.data;
  const [startsAt, endsAt] = [0, HOUR].map((at) => new Date(START + at).toISOString());
  const silence = { matcher: { host: 'lab-*' }, startsAt, endsAt, reason: 'tests' };
  await app.send('POST', '/api/events/silences', silence, { token: own });
  const said = await asked('what did raj do today');
  expect(said).toMatch(/^Silence of host lab-\*, until 11:00 UTC, by Raj Patel: "tests"\./);
  expect(said).not.toContain('No change');
});

test('what is planned is named as what it is', async () => {
  const at = (hours: number): string => new Date(START + hours * HOUR).toISOString();
  const plan = { ciId: ids.checkout, changeType: 'upgrade', plannedTime: at(13), plannedDuration: '30m' };
  expect((await send('POST', '/api/change-analysis/analyze', plan)).status).toBe(200);
  for (const [message, said] of rowsOf(String.raw`
  what is planned tonight? => Silence of dub3-web-01, .* Risk assessment, which is no scheduled change: upgrade of checkout, planned for 23:00 UTC: \w+, \d+ of 100
  which changes are planned this week => Risk assessment, .*: upgrade of checkout
  any changes tomorrow? => ^No silence or maintenance is planned tomorrow\.
  is anything planned for checkout => ^No: no silence or maintenance of checkout is planned\. Risk assessment
  any silence coming up for checkout => ^No: no silence or maintenance of checkout is planned\.$
  `))
    expect([message, await asked(message!)]).toEqual([message, expect.stringMatching(said!)]);
});

test('a verdict is told to those who ask whether someone called a root cause wrong', async () => {
  await send('PUT', `/api/events/groups/${group}/verdict`, {
    cause: 'wrong',
    members: 'right',
    note: 'the disk was fine',
  });
  await app.app.idle();
  const said = await asked('did anyone say a root cause was wrong?');
  expect(said).toMatch(/^1 verdict since data begin .*"root cause wrong, events right: the disk was fine"/);
});

test('direct dependencies come before others, and none is dropped', async () => {
  await event('Queue grows', 'mail-db', 'major', 4 * MINUTE);
  await event('Fan fails', 'mail-rack', 'critical', 5 * MINUTE);
  for (const name of ['mail-host', 'mail-array']) await event(`Heat ${name}`, name, 'critical', 3 * MINUTE);
  await event('Mail is slow', 'mail', 'major', 2 * MINUTE, { source: 'array', ...over });
  app.clock.set(START);
  await app.app.idle();
  const said = await asked('is mail ok right now?');
  expect(said).toMatch(/mail depends on mail-db, .*mail depends on mail-host, /);
});

test('a name with a slash is no service, and a service needs its databases', async () => {
  for (const [name, type] of [
    ['cart', 'application'],
    ['shop/cart', 'deployment'],
    ['node-1', 'server'],
    ['cart-db', 'database'],
  ])
    ids[name!] = await ci(name!, { type });
  await join(ids['shop/cart']!, ids['node-1']!);
  await join(ids.cart!, ids['cart-db']!);
  for (const name of ['cart', 'Basket']) {
    const components = [{ ci_id: ids.cart, role: 'app' }];
    await send('POST', '/v1/services', { name, criticality: 'low', components });
  }
  await event('Slow queries', 'cart-db', 'major', MINUTE);
  app.clock.set(START + HOUR);
  await app.app.idle();
  for (const [message, said] of rowsOf(`
  does shop/cart depend on node-1? => Yes: shop/cart depends directly on node-1
  what does "shop/cart" depend on? => shop/cart depends directly on 1 CI: node-1
  is Basket and its database healthy => No: cart-db has 1 open event: 1 major.
`))
    expect([message, await asked(message!)]).toEqual([message, expect.stringContaining(said!)]);
});

test('on the page of a group, questions without a name are about it', async () => {
  const { groups } = (await send('GET', '/api/events/groups?include=single&status=active')).body;
  const idOf = (title: string): string =>
    groups.find((row: { readonly title: string }) => row.title === title).correlationId;
  const [link, disk] = [idOf('Link down'), idOf('Disk full')];
  for (const [page, message, said] of [
    [link, 'what is happening here?', '"Link down" on dub3-core-01'],
    [link, 'who has it?', 'Unassigned: "Link down"'],
    [link, 'since when?', 'since 07:00 UTC'],
    [disk, 'why?', '"Disk full" on pg-orders'],
    [disk, 'who has it?', 'Raj Patel'],
    [disk, 'what is happening here?', '"Disk full" on pg-orders'],
    [disk, 'what is happening everywhere?', '"Link down" on dub3-core-01'],
  ] as const)
    expect([message, await asked(message, 'pages', page)]).toEqual([message, expect.stringContaining(said)]);
  const unknown = await send('POST', '/api/chatbot', { message: 'why?', context: { currentGroup: 'COR-none' } });
  expect([unknown.status, JSON.stringify(unknown.body)]).toEqual([
    400,
    expect.stringContaining('context.currentGroup'),
  ]);
});

test('a database is not cleared by events that are on its host', async () => {
  for (const [name, type] of [
    ['ledger', 'application'],
    ['ledger-pg', 'database'],
    ['vm-7', 'server'],
  ])
    ids[name!] = await ci(name!, { type });
  await join(ids.ledger!, ids['ledger-pg']!);
  await send('POST', '/v1/cmdb/relationships', {
    type: 'runs_on',
    source_ci: ids['ledger-pg'],
    target_ci: ids['vm-7'],
  });
  await event('Volume is full', 'vm-7', 'critical', 50 * MINUTE);
  await event('Ledger fails', 'ledger', 'major', 49 * MINUTE);
  await event('Volume is full', 'vm-7', 'critical', 20 * MINUTE, over);
  app.clock.set(START + HOUR);
  await app.app.idle();
  for (const [message, said] of rowsOf(`
  what took out ledger this mornign? => "Volume is full" on vm-7
  and the db? => "Volume is full" on vm-7
  did that come back by itself or did someone fix it => "Volume is full" on vm-7
  did the db of ledger have problems today => 1 event on ledger-pg or its hosts since 00:00 UTC. "Volume is full" on vm-7
  any incidents on ledger-pg? => root cause: "Volume is full" on vm-7
  any alerts on databases today => "Volume is full" on vm-7
  any open alerts on ledger-pg? => is in an incident that is open
  `))
    expect([message, await asked(message!, 'ledger')]).toEqual([message, expect.stringContaining(said!)]);
});

test('what people noted is known, and a group of the page is what "here" means', async () => {
  await send('POST', `/api/events/groups/${group}/notes`, { text: 'restarted pg-orders, release rolled back to 4.1' });
  expect(await asked('who restarted pg-orders?')).toMatch(/^test noted.*"restarted pg-orders, release/);
  expect(await asked('why did raj restart pg-orders?')).toContain('Not by Raj Patel, as far as is recorded.');
  expect(await asked('who restarted dub3-web-01?')).toContain('Not known: no event, change or note says');
  expect(await asked('is the disk on pg-orders full again ok?')).not.toMatch(/^Yes/);
  const other = {
    message: 'what is happening here?',
    context: { currentCI: ids['dub3-core-01'], currentGroup: group },
  };
  const { body } = await send('POST', '/api/chatbot', other);
  expect([body.response.includes('"Disk full" on pg-orders'), body.response.includes('Link down')]).toEqual([
    true,
    false,
  ]);
  const unknown = { message: 'why', context: { currentGroup: 'COR-1-nosuch' } };
  expect(JSON.stringify(await send('POST', '/api/chatbot', unknown))).toContain('context.currentGroup');
});

test('a list and its oldest, a cause and who says so', async () => {
  await asked('which groups does nobody own?', 'follow');
  expect(await asked('and the oldest one?', 'follow')).toMatch(
    /^The oldest of the \d is "Disk space low" on fra1-core-01/,
  );
  await asked(`why ${group}?`, 'says');
  expect(await asked('who says so?', 'says')).toContain('test: the scored root cause is wrong');
  expect(await asked('everything recovered since then?', 'says')).toMatch(/^No: /);
});
