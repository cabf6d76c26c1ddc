import type { Migration } from './migration.ts';

const RANKS = [0, 1, 2, 3, 4];
const OPEN = RANKS.map((rank) => `open${rank}`);
const ALL = RANKS.map((rank) => `all${rank}`);
const COUNTS = [...OPEN, ...ALL, 'acknowledged', 'suppressed'];

/** The group that stands for an event's correlation_id now. */
const STANDING = (row: string): string =>
  `coalesce((SELECT a.grp FROM grp_alias a WHERE a.tenant = ${row}.tenant AND a.alias = ${row}.correlation_id), ${row}.correlation_id)`;

/** Written so that a text within the JSON cannot look like it: quotes are escaped there. */
const COUNTED = (row: string): string => `instr(${row}.state, '"supersededBy":"') = 0`;

/** What one event adds to each of COUNTS. */
const ADDED = (row: string): string[] => [
  ...RANKS.map((rank) => `(${row}.status = 0 AND ${row}.severity = ${rank})`),
  ...RANKS.map((rank) => `(${row}.severity = ${rank})`),
  `(${row}.status = 1)`,
  `(${row}.status = 3)`,
];
const set = (value: (column: string, place: number) => string): string =>
  COUNTS.map((column, place) => `${column} = ${value(column, place)}`).join(', ');

const CHANGED_AT = (row: string): string => `coalesce(${row}.state ->> '$.history[#-1].at', 0)`;

const COUNT_IN = `INSERT INTO grp_state (tenant, id, ${COUNTS.join(', ')})
    SELECT new.tenant, ${STANDING('new')}, ${ADDED('new').join(', ')} WHERE ${COUNTED('new')}
    ON CONFLICT (tenant, id) DO UPDATE SET ${set((column) => `${column} + excluded.${column}`)};`;
const COUNT_OUT = `UPDATE grp_state SET ${set((column, place) => `${column} - ${ADDED('old')[place]}`)}
    WHERE tenant = old.tenant AND id = ${STANDING('old')} AND ${COUNTED('old')};`;
const COUNT_MOVES = `UPDATE grp_state SET ${set(
  (column, place) =>
    `${column} + ${ADDED('new')[place]} * (${COUNTED('new')}) - ${ADDED('old')[place]} * (${COUNTED('old')})`,
)}, activity = max(activity, ${CHANGED_AT('new')}) WHERE tenant = new.tenant AND id = ${STANDING('new')};`;

/** Kinds: 0 source, 1 service, 2 host, 3 CI. The key is what it is found by. */
const NAMES = (row: string): string => `
    SELECT 0 AS kind, lower(${row}.source) AS key, ${row}.source AS label
    UNION ALL SELECT 1, lower(${row}.body ->> '$.service'), ${row}.body ->> '$.service'
    UNION ALL SELECT 2, lower(${row}.body ->> '$.hostname'), ${row}.body ->> '$.hostname'
    UNION ALL SELECT 3, ${row}.ci_id, ${row}.state ->> '$.ci.name'`;
const NAME_IN = `INSERT INTO grp_name (tenant, grp, kind, key, label, n)
    SELECT new.tenant, ${STANDING('new')}, kind, key, label, 1 FROM (${NAMES('new')}) WHERE key IS NOT NULL
    ON CONFLICT DO UPDATE SET n = n + 1;`;
const NAME_OUT = `UPDATE grp_name SET n = n - 1
    WHERE tenant = old.tenant AND grp = ${STANDING('old')} AND (kind, key) IN (SELECT kind, key FROM (${NAMES('old')}));`;

const SETTLE = `UPDATE grp_state SET worst = worst_now, standing = standing_now, urgency = urgency_now
    WHERE tenant = new.tenant AND id = new.id;`;
const MOVED = 'new.urgency <> new.urgency_now OR new.standing <> new.standing_now OR new.worst <> new.worst_now';
const rankOf = (columns: readonly string[]): string =>
  `CASE ${[...columns]
    .reverse()
    .map((column) => `WHEN ${column} > 0 THEN ${column.at(-1)}`)
    .join(' ')} ELSE -1 END`;

/** 2^42: above all times. */
const BY_RANK = 4_398_046_511_104;
/** With its urgency, which nearly always moves with `last`: otherwise indexes would change twice. */
const GROUP_SAVED = `INSERT INTO grp_state (tenant, id, status, first, last, size, urgency)
    VALUES (new.tenant, new.id, new.status, new.first, new.last, new.size, new.last)
    ON CONFLICT (tenant, id) DO UPDATE
      SET status = excluded.status, first = excluded.first, last = excluded.last, size = excluded.size,
        urgency = (worst_open + 1) * ${BY_RANK} + excluded.last;`;
const CARE = ['assignee', 'team', 'verdict', 'care'];
const TAKE_OVER = `INSERT INTO grp_state (tenant, id, activity, ${[...CARE, ...COUNTS].join(', ')})
    SELECT tenant, new.grp, activity, ${[...CARE, ...COUNTS].join(', ')} FROM grp_state WHERE tenant = new.tenant AND id = new.alias
    ON CONFLICT (tenant, id) DO UPDATE
      SET activity = max(activity, excluded.activity), ${set((column) => `${column} + excluded.${column}`)},
        ${CARE.map((column) => `${column} = iif(care IS NULL, excluded.${column}, ${column})`).join(', ')};
  DELETE FROM grp_state WHERE tenant = new.tenant AND id = new.alias;
  INSERT INTO grp_name (tenant, grp, kind, key, label, n)
    SELECT tenant, new.grp, kind, key, label, n FROM grp_name WHERE tenant = new.tenant AND grp = new.alias
    ON CONFLICT DO UPDATE SET n = n + excluded.n;
  DELETE FROM grp_name WHERE tenant = new.tenant AND grp = new.alias;`;

const changed = (...fields: readonly string[]): string =>
  fields.map((field) => `(old.${field}) IS NOT (new.${field})`).join(' OR ');

/**
 * What the members of a group make of it, by the id that stands now. Triggers move counts and names with each event that is written, so
 * that whoever changes an event has changed its group. `open0` … `all4`: open members and all by severity rank; members whose place
 * another took do not count. `status`, `first`, `last`, `size` are those of `grp`; `status` is null as long as the group itself is not
 * stored. `urgency` orders by worst open severity, then `last`: the rank plus one times 2^42, plus `last`. `standing`: 0 active,
 * 1 acknowledged, 2 resolved; `care`: what people said of the group, the record of that kind. They stand beside their `…_now` so that an index changes only when its value does.
 */
export const groupState: Migration = {
  id: 13,
  name: 'group-state',
  sql: `
CREATE TABLE grp_state (
  tenant TEXT NOT NULL, id TEXT NOT NULL, status TEXT, first INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0, ${COUNTS.map((column) => `${column} INTEGER NOT NULL DEFAULT 0`).join(', ')},
  activity INTEGER NOT NULL DEFAULT 0,
  assignee TEXT, team TEXT, verdict TEXT, care TEXT,
  worst INTEGER NOT NULL DEFAULT -1, standing INTEGER NOT NULL DEFAULT 2, urgency INTEGER NOT NULL DEFAULT 0,
  open INTEGER AS (${OPEN.join(' + ')}) VIRTUAL,
  worst_open INTEGER AS (${rankOf(OPEN)}) VIRTUAL,
  worst_now INTEGER AS (CASE WHEN worst_open >= 0 THEN worst_open ELSE ${rankOf(ALL)} END) VIRTUAL,
  standing_now INTEGER AS (CASE WHEN open > 0 THEN 0 WHEN acknowledged > 0 THEN 1 ELSE 2 END) VIRTUAL,
  urgency_now INTEGER AS ((worst_open + 1) * ${BY_RANK} + last) VIRTUAL) STRICT;
CREATE TABLE grp_name (
  tenant TEXT NOT NULL, grp TEXT NOT NULL, kind INTEGER NOT NULL, key TEXT NOT NULL, label TEXT, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, grp, kind, key)) STRICT, WITHOUT ROWID;

INSERT INTO grp_state (tenant, id, status, first, last, size)
  SELECT tenant, id, status, first, last, size FROM grp WHERE status <> 'merged';
CREATE UNIQUE INDEX grp_state_id ON grp_state (tenant, id);
INSERT INTO grp_state (tenant, id, activity, ${COUNTS.join(', ')})
  SELECT e.tenant, ${STANDING('e')} AS grp, max(${CHANGED_AT('e')}), ${ADDED('e')
    .map((added) => `sum(${added})`)
    .join(', ')}
  FROM event e WHERE e.correlation_id IS NOT NULL AND ${COUNTED('e')} GROUP BY e.tenant, grp
  ON CONFLICT (tenant, id) DO UPDATE
    SET activity = excluded.activity, ${set((column) => `excluded.${column}`)};
UPDATE grp_state SET worst = worst_now, standing = standing_now, urgency = urgency_now;
INSERT INTO grp_name (tenant, grp, kind, key, label, n)
  SELECT tenant, grp, kind, key, max(label), count(*) FROM (
    SELECT e.tenant, ${STANDING('e')} AS grp, k.kind,
      CASE k.kind WHEN 0 THEN lower(e.source) WHEN 1 THEN lower(e.body ->> '$.service')
        WHEN 2 THEN lower(e.body ->> '$.hostname') ELSE e.ci_id END AS key,
      CASE k.kind WHEN 0 THEN e.source WHEN 1 THEN e.body ->> '$.service'
        WHEN 2 THEN e.body ->> '$.hostname' ELSE e.state ->> '$.ci.name' END AS label
    FROM event e CROSS JOIN (SELECT 0 AS kind UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) k
    WHERE e.correlation_id IS NOT NULL)
  WHERE key IS NOT NULL GROUP BY tenant, grp, kind, key;

CREATE INDEX grp_state_urgency ON grp_state (tenant, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_standing ON grp_state (tenant, standing, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_worst ON grp_state (tenant, worst, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_assignee ON grp_state (tenant, assignee, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_team ON grp_state (tenant, team, urgency, id) WHERE team IS NOT NULL;
CREATE INDEX grp_state_verdict ON grp_state (tenant, verdict, urgency, id) WHERE verdict IS NOT NULL;
CREATE INDEX grp_name_key ON grp_name (tenant, kind, key, grp);

CREATE TRIGGER grp_state_made AFTER INSERT ON grp_state WHEN ${MOVED} BEGIN ${SETTLE} END;
CREATE TRIGGER grp_state_moved AFTER UPDATE ON grp_state WHEN ${MOVED} BEGIN ${SETTLE} END;
CREATE TRIGGER grp_name_gone AFTER UPDATE OF n ON grp_name WHEN new.n <= 0 BEGIN
  DELETE FROM grp_name WHERE tenant = new.tenant AND grp = new.grp AND kind = new.kind AND key = new.key;
END;
CREATE TRIGGER grp_made AFTER INSERT ON grp WHEN new.status <> 'merged' BEGIN ${GROUP_SAVED} END;
CREATE TRIGGER grp_changed AFTER UPDATE ON grp WHEN new.status <> 'merged' BEGIN ${GROUP_SAVED} END;
CREATE TRIGGER grp_gone AFTER DELETE ON grp BEGIN
  DELETE FROM grp_state WHERE tenant = old.tenant AND id = old.id;
  DELETE FROM grp_name WHERE tenant = old.tenant AND grp = old.id;
END;
CREATE TRIGGER grp_alias_made AFTER INSERT ON grp_alias BEGIN ${TAKE_OVER} END;
CREATE TRIGGER grp_cared AFTER INSERT ON record WHEN new.kind = 'group-care' BEGIN
  UPDATE grp_state SET assignee = new.body ->> '$.assignedTo.id', team = new.body ->> '$.assignedTeam.id',
    verdict = new.body ->> '$.verdict.cause', care = new.body
  WHERE tenant = new.tenant
    AND id = coalesce((SELECT a.grp FROM grp_alias a WHERE a.tenant = new.tenant AND a.alias = new.id), new.id);
END;
CREATE TRIGGER event_grouped AFTER INSERT ON event WHEN new.correlation_id IS NOT NULL BEGIN ${COUNT_IN} ${NAME_IN} END;
CREATE TRIGGER event_ungrouped AFTER DELETE ON event WHEN old.correlation_id IS NOT NULL BEGIN ${COUNT_OUT} ${NAME_OUT} END;
CREATE TRIGGER event_joined AFTER UPDATE OF correlation_id ON event
WHEN new.correlation_id IS NOT NULL AND old.correlation_id IS NOT new.correlation_id BEGIN ${COUNT_IN} ${NAME_IN} END;
CREATE TRIGGER event_left AFTER UPDATE OF correlation_id ON event
WHEN old.correlation_id IS NOT NULL AND old.correlation_id IS NOT new.correlation_id BEGIN ${COUNT_OUT} ${NAME_OUT} END;
CREATE TRIGGER event_turned AFTER UPDATE OF status ON event WHEN new.correlation_id IS NOT NULL
  AND (old.status <> new.status OR old.severity <> new.severity OR (${COUNTED('old')}) <> (${COUNTED('new')}))
BEGIN ${COUNT_MOVES} END;
CREATE TRIGGER event_bound AFTER UPDATE OF ci_id ON event WHEN new.correlation_id IS NOT NULL AND ${changed('ci_id')}
BEGIN ${NAME_OUT} ${NAME_IN} END;
CREATE TRIGGER event_renamed AFTER UPDATE OF body ON event WHEN new.correlation_id IS NOT NULL
  AND (${changed("body ->> '$.hostname'", "body ->> '$.service'")})
BEGIN ${NAME_OUT} ${NAME_IN} END;
`,
};
