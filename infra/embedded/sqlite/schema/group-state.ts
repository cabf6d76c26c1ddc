const RANKS = [0, 1, 2, 3, 4];
const OPEN = RANKS.map((rank) => `open${rank}`);
const ACK = RANKS.map((rank) => `ack${rank}`);
const ALL = RANKS.map((rank) => `all${rank}`);
const COUNTS = [...OPEN, ...ACK, ...ALL, 'suppressed'];

/** The current group of an event's correlation_id. */
const STANDING = (row: string): string =>
  `coalesce((SELECT a.grp FROM grp_alias a WHERE a.tenant = ${row}.tenant AND a.alias = ${row}.correlation_id), ${row}.correlation_id)`;

/** Written so that a text within the JSON cannot look like it: quotes are escaped there. */
const COUNTED = (row: string): string => `instr(${row}.state, '"supersededBy":"') = 0`;
/** Open or acknowledged. */
const ON = (row: string): string => `(${row}.status < 2)`;

/** The share of one event in each of COUNTS. */
const ADDED = (row: string): string[] => [
  ...RANKS.map((rank) => `(${row}.status = 0 AND ${row}.severity = ${rank})`),
  ...RANKS.map((rank) => `(${row}.status = 1 AND ${row}.severity = ${rank})`),
  ...RANKS.map((rank) => `(${row}.severity = ${rank})`),
  `(${row}.status = 3)`,
];
const set = (value: (column: string, place: number) => string): string =>
  COUNTS.map((column, place) => `${column} = ${value(column, place)}`).join(', ');

const CHANGED_AT = (row: string): string => `coalesce(${row}.state ->> '$.history[#-1].at', 0)`;
const SUMS = ADDED('e')
  .map((added) => `sum(${added})`)
  .join(', ');

const COUNT_IN = `INSERT INTO grp_state (tenant, id, ${COUNTS.join(', ')})
    SELECT new.tenant, ${STANDING('new')}, ${ADDED('new').join(', ')} WHERE ${COUNTED('new')}
    ON CONFLICT (tenant, id) DO UPDATE SET ${set((column) => `${column} + excluded.${column}`)};`;
const COUNT_OUT = `UPDATE grp_state SET ${set((column, place) => `${column} - ${ADDED('old')[place]}`)}
    WHERE tenant = old.tenant AND id = ${STANDING('old')} AND ${COUNTED('old')};`;
const COUNT_MOVES = `UPDATE grp_state SET ${set(
  (column, place) =>
    `${column} + ${ADDED('new')[place]} * (${COUNTED('new')}) - ${ADDED('old')[place]} * (${COUNTED('old')})`,
)}, activity = max(activity, ${CHANGED_AT('new')}) WHERE tenant = new.tenant AND id = ${STANDING('new')};`;

/** Kinds: 0 source, 1 service, 2 host, 3 CI. The key is the search value. */
const NAMES = (row: string): string => `
    SELECT 0 AS kind, lower(${row}.source) AS key, ${row}.source AS label
    UNION ALL SELECT 1, lower(${row}.body ->> '$.service'), ${row}.body ->> '$.service'
    UNION ALL SELECT 2, lower(${row}.body ->> '$.hostname'), ${row}.body ->> '$.hostname'
    UNION ALL SELECT 3, ${row}.ci_id, ${row}.state ->> '$.ci.name'`;
const NAME_IN = `INSERT INTO grp_name (tenant, grp, kind, key, label, n, lit)
    SELECT new.tenant, ${STANDING('new')}, kind, key, label, 1, ${ON('new')} FROM (${NAMES('new')}) WHERE key IS NOT NULL
    ON CONFLICT DO UPDATE SET n = n + 1, lit = lit + excluded.lit;`;
const NAME_OUT = `UPDATE grp_name SET n = n - 1, lit = lit - ${ON('old')}
    WHERE tenant = old.tenant AND grp = ${STANDING('old')} AND (kind, key) IN (SELECT kind, key FROM (${NAMES('old')}));`;
const NAMES_OF = (event: string): string => `
    SELECT ${event}.tenant, k.kind,
      CASE k.kind WHEN 0 THEN lower(${event}.source) WHEN 1 THEN lower(${event}.body ->> '$.service')
        WHEN 2 THEN lower(${event}.body ->> '$.hostname') ELSE ${event}.ci_id END AS key,
      CASE k.kind WHEN 0 THEN ${event}.source WHEN 1 THEN ${event}.body ->> '$.service'
        WHEN 2 THEN ${event}.body ->> '$.hostname' ELSE ${event}.state ->> '$.ci.name' END AS label,
      ${ON(event)} AS lit, ${STANDING(event)} AS grp
    FROM event ${event} CROSS JOIN (SELECT 0 AS kind UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) k`;

const SETTLE = `UPDATE grp_state SET worst = worst_now, standing = standing_now, urgency = urgency_now
    WHERE tenant = new.tenant AND id = new.id;`;
const MOVED = 'new.urgency <> new.urgency_now OR new.standing <> new.standing_now OR new.worst <> new.worst_now';
const rankOf = (conditions: readonly string[]): string =>
  `CASE ${conditions
    .map((condition, rank) => `WHEN ${condition} THEN ${rank}`)
    .reverse()
    .join(' ')} ELSE -1 END`;
const ON_BY_RANK = RANKS.map((rank) => `open${rank} + ack${rank} > 0`);

/** Constants of `urgencyOf`: 2^42 is above all times. */
const ACTIVE = 2 ** 42;
const SERVICE = 2 ** 43;
const MAX_HITS = 15;
const BY_RANK = 2 ** 47;
/** Writes it with its urgency, which nearly always changes with `last`: otherwise indexes would change twice. */
const GROUP_SAVED = `INSERT INTO grp_state (tenant, id, status, first, last, size, urgency)
    VALUES (new.tenant, new.id, new.status, new.first, new.last, new.size, new.last)
    ON CONFLICT (tenant, id) DO UPDATE
      SET status = excluded.status, first = excluded.first, last = excluded.last, size = excluded.size,
        urgency = urgency_now - last + excluded.last;`;
const CARE = ['assignee', 'team', 'verdict', 'care', 'ack'];
const TAKE_OVER = `INSERT INTO grp_state (tenant, id, activity, hits, ${[...CARE, ...COUNTS].join(', ')})
    SELECT tenant, new.grp, activity, hits, ${[...CARE, ...COUNTS].join(', ')} FROM grp_state WHERE tenant = new.tenant AND id = new.alias
    ON CONFLICT (tenant, id) DO UPDATE
      SET activity = max(activity, excluded.activity), hits = max(hits, excluded.hits),
        ${set((column) => `${column} + excluded.${column}`)},
        ${CARE.map((column) => `${column} = iif(care IS NULL, excluded.${column}, ${column})`).join(', ')};
  DELETE FROM grp_state WHERE tenant = new.tenant AND id = new.alias;
  INSERT INTO grp_name (tenant, grp, kind, key, label, n, lit)
    SELECT tenant, new.grp, kind, key, label, n, lit FROM grp_name WHERE tenant = new.tenant AND grp = new.alias
    ON CONFLICT DO UPDATE SET n = n + excluded.n, lit = lit + excluded.lit;
  DELETE FROM grp_name WHERE tenant = new.tenant AND grp = new.alias;`;
const ACKNOWLEDGED = (body: string): string => `CASE WHEN ${body} -> '$.acknowledged' IS NULL THEN 0
      WHEN ${body} -> '$.acknowledged.worse' IS NULL THEN 1 ELSE 2 END`;
const CARED = (
  body: string,
): string => `assignee = ${body} ->> '$.assignedTo.id', team = ${body} ->> '$.assignedTeam.id',
    verdict = ${body} ->> '$.verdict.cause', care = ${body}, ack = ${ACKNOWLEDGED(body)}`;
const OWN_CARE = (id: string): string => `UPDATE grp_state SET (assignee, team, verdict, care, ack) =
    (SELECT r.body ->> '$.assignedTo.id', r.body ->> '$.assignedTeam.id', r.body ->> '$.verdict.cause', r.body, ${ACKNOWLEDGED('r.body')}
     FROM (SELECT 1) LEFT JOIN record r ON r.tenant = old.tenant AND r.kind = 'group-care' AND r.id = ${id})
  WHERE tenant = old.tenant AND id = ${id};`;

/** A merge is undone: the members that still have the name, and the group's records, are its own again. */
const GIVE_BACK = `INSERT INTO grp_state (tenant, id, activity, ${COUNTS.join(', ')})
    SELECT e.tenant, old.alias, max(${CHANGED_AT('e')}), ${SUMS}
    FROM event e WHERE e.tenant = old.tenant AND e.correlation_id = old.alias AND ${COUNTED('e')} GROUP BY e.tenant
    ON CONFLICT (tenant, id) DO UPDATE SET activity = excluded.activity, ${set((column) => `excluded.${column}`)};
  UPDATE grp_state SET ${set(
    (column) =>
      `${column} - coalesce((SELECT b.${column} FROM grp_state b WHERE b.tenant = old.tenant AND b.id = old.alias), 0)`,
  )} WHERE tenant = old.tenant AND id = old.grp;
  INSERT INTO grp_name (tenant, grp, kind, key, label, n, lit)
    SELECT tenant, old.alias, kind, key, max(label), count(*), sum(lit) FROM (${NAMES_OF('e')}
      WHERE e.tenant = old.tenant AND e.correlation_id = old.alias) WHERE key IS NOT NULL GROUP BY tenant, kind, key
    ON CONFLICT DO UPDATE SET n = excluded.n, lit = excluded.lit;
  UPDATE grp_name SET
    n = n - (SELECT b.n FROM grp_name b WHERE b.tenant = old.tenant AND b.grp = old.alias AND b.kind = grp_name.kind AND b.key = grp_name.key),
    lit = lit - (SELECT b.lit FROM grp_name b WHERE b.tenant = old.tenant AND b.grp = old.alias AND b.kind = grp_name.kind AND b.key = grp_name.key)
    WHERE tenant = old.tenant AND grp = old.grp
      AND (kind, key) IN (SELECT kind, key FROM grp_name WHERE tenant = old.tenant AND grp = old.alias);
  ${OWN_CARE('old.alias')}
  ${OWN_CARE('old.grp')}`;

const changed = (...fields: readonly string[]): string =>
  fields.map((field) => `(old.${field}) IS NOT (new.${field})`).join(' OR ');

/**
 * The state of a group, derived from its members, by its current id. `open0` … `all4`: members by severity rank;
 * superseded ones do not count. `hits`: affected services at the last check.
 */
const STATE = `
CREATE TABLE grp_state (
  tenant TEXT NOT NULL, id TEXT NOT NULL, status TEXT, first INTEGER NOT NULL DEFAULT 0, last INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0, ${COUNTS.map((column) => `${column} INTEGER NOT NULL DEFAULT 0`).join(', ')},
  activity INTEGER NOT NULL DEFAULT 0,
  assignee TEXT, team TEXT, verdict TEXT, care TEXT, ack INTEGER NOT NULL DEFAULT 0, hits INTEGER NOT NULL DEFAULT 0,
  worst INTEGER NOT NULL DEFAULT -1, standing INTEGER NOT NULL DEFAULT 2, urgency INTEGER NOT NULL DEFAULT 0,
  open INTEGER AS (${OPEN.join(' + ')}) VIRTUAL,
  acknowledged INTEGER AS (${ACK.join(' + ')}) VIRTUAL,
  worst_on INTEGER AS (${rankOf(ON_BY_RANK)}) VIRTUAL,
  worst_now INTEGER AS (CASE WHEN worst_on >= 0 THEN worst_on ELSE ${rankOf(ALL.map((column) => `${column} > 0`))} END) VIRTUAL,
  standing_now INTEGER AS (CASE WHEN worst_on < 0 THEN 2 WHEN ack = 1 OR open = 0 THEN 1 ELSE 0 END) VIRTUAL,
  urgency_now INTEGER AS (last + CASE WHEN worst_on < 0 THEN 0 ELSE (worst_on + 1) * ${BY_RANK} + min(hits, ${MAX_HITS}) * ${SERVICE}
    + (standing_now = 0) * ${ACTIVE} END) VIRTUAL) STRICT;
`;

/** `status` is null while the group has no members. `ack`: 1 acknowledged, 2 and worse since. An index is on `urgency` and its like, so that it changes only when the value of `urgency_now` does. */
const STATE_INDEXES = `
CREATE UNIQUE INDEX grp_state_id ON grp_state (tenant, id);
CREATE INDEX grp_state_urgency ON grp_state (tenant, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_standing ON grp_state (tenant, standing, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_worst ON grp_state (tenant, worst, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_assignee ON grp_state (tenant, assignee, urgency, id) WHERE status IS NOT NULL;
CREATE INDEX grp_state_team ON grp_state (tenant, team, urgency, id) WHERE team IS NOT NULL;
CREATE INDEX grp_state_verdict ON grp_state (tenant, verdict, urgency, id) WHERE verdict IS NOT NULL;
`;

/** `lit`: members that are on. */
const NAME = `
CREATE TABLE grp_name (
  tenant TEXT NOT NULL, grp TEXT NOT NULL, kind INTEGER NOT NULL, key TEXT NOT NULL, label TEXT, n INTEGER NOT NULL, lit INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant, grp, kind, key)) STRICT, WITHOUT ROWID;
CREATE INDEX grp_name_key ON grp_name (tenant, kind, key, grp);
`;

/** A name that is no alias any more gets its members back. */
const OF_GROUPS = `
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
CREATE TRIGGER grp_alias_gone AFTER DELETE ON grp_alias BEGIN ${GIVE_BACK} END;
CREATE TRIGGER grp_cared AFTER INSERT ON record WHEN new.kind = 'group-care' BEGIN
  UPDATE grp_state SET ${CARED('new.body')} WHERE tenant = new.tenant
    AND id = coalesce((SELECT a.grp FROM grp_alias a WHERE a.tenant = new.tenant AND a.alias = new.id), new.id);
END;
CREATE TRIGGER grp_hit AFTER INSERT ON record WHEN new.kind = 'group-hits' BEGIN
  UPDATE grp_state SET hits = new.body ->> '$.count' WHERE tenant = new.tenant AND id = new.id;
END;
`;

/** Counts and names move with each event that is written, so that each change of an event has changed its group. */
const OF_EVENTS = `
CREATE TRIGGER event_grouped AFTER INSERT ON event WHEN new.correlation_id IS NOT NULL BEGIN ${COUNT_IN} ${NAME_IN} END;
CREATE TRIGGER event_ungrouped AFTER DELETE ON event WHEN old.correlation_id IS NOT NULL BEGIN ${COUNT_OUT} ${NAME_OUT} END;
CREATE TRIGGER event_joined AFTER UPDATE OF correlation_id ON event
WHEN new.correlation_id IS NOT NULL AND old.correlation_id IS NOT new.correlation_id BEGIN ${COUNT_IN} ${NAME_IN} END;
CREATE TRIGGER event_left AFTER UPDATE OF correlation_id ON event
WHEN old.correlation_id IS NOT NULL AND old.correlation_id IS NOT new.correlation_id BEGIN ${COUNT_OUT} ${NAME_OUT} END;
CREATE TRIGGER event_turned AFTER UPDATE OF status ON event WHEN new.correlation_id IS NOT NULL
  AND (old.status <> new.status OR old.severity <> new.severity OR (${COUNTED('old')}) <> (${COUNTED('new')}))
BEGIN ${COUNT_MOVES} END;
CREATE TRIGGER event_lit AFTER UPDATE OF status ON event
WHEN new.correlation_id IS NOT NULL AND ${ON('old')} <> ${ON('new')} AND old.ci_id IS new.ci_id AND new.ci_id IS NOT NULL BEGIN
  UPDATE grp_name SET lit = lit + ${ON('new')} - ${ON('old')}
    WHERE tenant = new.tenant AND grp = ${STANDING('new')} AND kind = 3 AND key = new.ci_id;
END;
CREATE TRIGGER event_bound AFTER UPDATE OF ci_id ON event WHEN new.correlation_id IS NOT NULL AND ${changed('ci_id')}
BEGIN ${NAME_OUT} ${NAME_IN} END;
CREATE TRIGGER event_renamed AFTER UPDATE OF body ON event WHEN new.correlation_id IS NOT NULL
  AND (${changed("body ->> '$.hostname'", "body ->> '$.service'")})
BEGIN ${NAME_OUT} ${NAME_IN} END;
`;

const totalOf = (row: string): string => ALL.map((column) => `${row}.${column}`).join(' + ');
const THIS = 'tenant = new.tenant AND id = new.id';
const HIDE = `WHEN new.status IS NOT NULL AND ${totalOf('new')} = 0 BEGIN
  UPDATE grp_state SET status = NULL WHERE ${THIS};
END;`;

/** A group without members, as one that lost them all to other groups, is in no list. */
const OF_EMPTY = `
CREATE TRIGGER grp_state_empty AFTER INSERT ON grp_state ${HIDE}
CREATE TRIGGER grp_state_emptied AFTER UPDATE OF status, ${ALL.join(', ')} ON grp_state ${HIDE}
CREATE TRIGGER grp_state_filled AFTER UPDATE OF ${ALL.join(', ')} ON grp_state
WHEN new.status IS NULL AND ${totalOf('new')} > 0 BEGIN
  UPDATE grp_state SET status = (SELECT g.status FROM grp g WHERE g.tenant = new.tenant AND g.id = new.id AND g.status <> 'merged')
    WHERE ${THIS};
END;
`;

export const GROUP_STATE = [STATE, STATE_INDEXES, NAME, OF_GROUPS, OF_EVENTS, OF_EMPTY].join('');
