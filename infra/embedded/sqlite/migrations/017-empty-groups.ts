import type { Migration } from './migration.ts';

/** A closed group whose last member became one of another group is in no list: `status` is that of `grp` for those which lists show. */
export const emptyGroups: Migration = {
  id: 17,
  name: 'empty groups',
  sql: `
CREATE TRIGGER grp_emptied AFTER UPDATE OF all0, all1, all2, all3, all4 ON grp_state
WHEN new.status = 'closed' AND new.all0 + new.all1 + new.all2 + new.all3 + new.all4 = 0 BEGIN
  UPDATE grp_state SET status = NULL WHERE tenant = new.tenant AND id = new.id;
END;
UPDATE grp_state SET status = NULL WHERE status = 'closed' AND all0 + all1 + all2 + all3 + all4 = 0;
`,
};
