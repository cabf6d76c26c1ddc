import { expect, test } from '@jest/globals';
import { rowsOf } from '#test/setup/text-table.ts';
import { questionsIn } from './questions-in.ts';

test.each(
  rowsOf(`
    who owns checkout and what depends on it => who owns checkout | what depends on it
    is db-1 up? who is on it? => is db-1 up | who is on it?
    what is open on db-1, who owns it and is it down => what is open on db-1 | who owns it | is it down
    I am new here. What is db-1 and why was it alerting? => I am new here. What is db-1 | why was it alerting?
    is db-1 silenced and until when => is db-1 silenced and until when
    db-1 is slow and is it the network? => db-1 is slow and is it the network?
    alerts last week and how was it the week before that => alerts last week and how was it the week before that
    compare a and b => compare a and b
    payments slow again? what did raj find out => payments slow again | what did raj find out
    really? what is down => really? what is down
  `),
)('%s', (message, parts = '') => expect(questionsIn(message ?? '').join(' | ')).toBe(parts));
