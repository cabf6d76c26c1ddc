import type { Migration } from './migration.ts';

const COUNTS = [0, 1, 2, 3, 4].map((rank) => `all${rank}`);
const totalOf = (row: string): string => COUNTS.map((column) => `${row}.${column}`).join(' + ');
const THIS = 'tenant = new.tenant AND id = new.id';
const HIDE = `WHEN new.status IS NOT NULL AND ${totalOf('new')} = 0 BEGIN
  UPDATE grp_state SET status = NULL WHERE ${THIS};
END;`;

/** A group without members, as one that lost them all to other groups, is in no list: its `status` is that of `grp` while it has some. */
export const emptyGroups: Migration = {
  id: 17,
  name: 'empty groups',
  sql: `
CREATE TRIGGER grp_state_empty AFTER INSERT ON grp_state ${HIDE}
CREATE TRIGGER grp_state_emptied AFTER UPDATE OF status, ${COUNTS.join(', ')} ON grp_state ${HIDE}
CREATE TRIGGER grp_state_filled AFTER UPDATE OF ${COUNTS.join(', ')} ON grp_state
WHEN new.status IS NULL AND ${totalOf('new')} > 0 BEGIN
  UPDATE grp_state SET status = (SELECT g.status FROM grp g WHERE g.tenant = new.tenant AND g.id = new.id AND g.status <> 'merged')
    WHERE ${THIS};
END;
UPDATE grp_state SET status = NULL WHERE ${totalOf('grp_state')} = 0;
`,
};
